import {
  type Environment,
  readSettings,
  type ServiceConfig,
  serviceConfig,
  serviceSettings,
  setting,
} from '@gpu-observatory/service-runtime';
import { type FrontendsConfig, frontendsConfig, frontendSettings } from './frontends.config.ts';
import { type ProvidersConfig, providersConfig, providerSettings } from './providers.config.ts';
import { type TokensConfig, tokensConfig, tokenSettings } from './tokens.config.ts';

/** Every environment variable of account-service. */
export const accountSettings = {
  ...serviceSettings,
  ...tokenSettings,
  ...frontendSettings,
  ...providerSettings,
  INTERNAL_PORT: setting.port(
    'port of the internal API for the other services; never expose it through an ingress',
    9091,
  ),
  INTERNAL_CREDENTIAL: setting.secret('shared secret with which the services authenticate to each other'),
  RATE_LIMITS: setting.flag('whether rate limits apply', 'true'),
  PASSWORD_SIGN_IN: setting.flag(
    'whether sign-in with email and password is enabled, in addition to the providers',
    'false',
  ),
};

export interface AccountConfig {
  service: ServiceConfig;
  tokens: TokensConfig;
  frontends: FrontendsConfig;
  providers: ProvidersConfig;
  internal: { port: number; credential: string };
  rateLimits: boolean;
  passwordSignIn: boolean;
}

/** Injection token of the configuration. */
export const ACCOUNT_CONFIG = Symbol('account configuration');

/** @throws {ConfigurationError} listing every invalid variable */
export function readConfig(environment: Environment): AccountConfig {
  const settings = readSettings(accountSettings, environment);
  return {
    service: serviceConfig(settings),
    tokens: tokensConfig(settings),
    frontends: frontendsConfig(settings),
    providers: providersConfig(settings),
    internal: { port: settings.INTERNAL_PORT, credential: settings.INTERNAL_CREDENTIAL },
    rateLimits: settings.RATE_LIMITS,
    passwordSignIn: settings.PASSWORD_SIGN_IN,
  };
}

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

export const internalSettings = {
  INTERNAL_PORT: setting.port('the port for our other services, never on the ingress', 9091),
  INTERNAL_CREDENTIAL: setting.secret('what our services prove themselves to each other with'),
};

/** Every variable of account-service. */
export const accountSettings = {
  ...serviceSettings,
  ...tokenSettings,
  ...frontendSettings,
  ...providerSettings,
  ...internalSettings,
  RATE_LIMITS: setting.flag('whether requests are limited', 'true'),
  PASSWORD_SIGN_IN: setting.flag('sign-in with e-mail and password, beside the providers', 'false'),
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

/** Asks Nest for the configuration. */
export const ACCOUNT_CONFIG = Symbol('account configuration');

/** @throws {ConfigurationError} naming each variable at fault */
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

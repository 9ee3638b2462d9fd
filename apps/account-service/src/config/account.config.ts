import {
  ConfigurationError,
  type Environment,
  readSettings,
  type ServiceConfig,
  serviceConfig,
  serviceSettings,
  setting,
} from '@gpu-observatory/service-runtime/process';
import { type FrontendsConfig, frontendsConfig, frontendSettings } from './frontends.config.ts';
import { type InternalConfig, internalConfig, internalSettings } from './internal.config.ts';
import { type ProvidersConfig, providersConfig, providerSettings } from './providers.config.ts';
import { type TokensConfig, tokensConfig, tokenSettings } from './tokens.config.ts';

/** Every environment variable of account-service. */
export const accountSettings = {
  ...serviceSettings,
  ...tokenSettings,
  ...frontendSettings,
  ...providerSettings,
  ...internalSettings,
  RATE_LIMITS: setting.flag('whether rate limits apply', 'true'),
  PASSWORD_SIGN_IN: setting.flag(
    'whether sign-in with email and password is enabled, with or without providers',
    'false',
  ),
};

/** Injectable, so it is a class. */
export abstract class AccountConfig {
  abstract service: ServiceConfig;
  abstract tokens: TokensConfig;
  abstract frontends: FrontendsConfig;
  abstract providers: ProvidersConfig;
  abstract internal: InternalConfig;
  abstract rateLimits: boolean;
  abstract passwordSignIn: boolean;
}

/** @throws {ConfigurationError} listing every invalid variable, or when no user could sign in */
export function readConfig(environment: Environment): AccountConfig {
  const settings = readSettings(accountSettings, environment);
  const providers = providersConfig(settings);
  const hasProvider = Object.values(providers).some((provider) => provider !== undefined);
  if (!hasProvider && !settings.PASSWORD_SIGN_IN) {
    throw new ConfigurationError(
      'GITHUB_CLIENT_ID, GOOGLE_CLIENT_ID, OIDC_ISSUER or PASSWORD_SIGN_IN=true is missing: configure at least one ' +
        'way to sign in',
    );
  }
  return {
    service: serviceConfig(settings),
    tokens: tokensConfig(settings),
    frontends: frontendsConfig(settings),
    providers,
    internal: internalConfig(settings),
    rateLimits: settings.RATE_LIMITS,
    passwordSignIn: settings.PASSWORD_SIGN_IN,
  };
}

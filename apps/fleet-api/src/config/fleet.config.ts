import {
  type Environment,
  readSettings,
  type ServiceConfig,
  serviceConfig,
} from '@gpu-observatory/service-runtime';
import { fleetSettings } from './settings.ts';

export interface TokenConfig {
  issuer: string;
  audience: string;
  jwksUrl: string;
  accountInternalUrl: string;
  internalCredential: string;
}

export interface FleetConfig {
  service: ServiceConfig;
  tokens: TokenConfig;
}

/** @throws {ConfigurationError} naming each variable at fault */
export function readConfig(environment: Environment): FleetConfig {
  const settings = readSettings(fleetSettings, environment);
  return {
    service: serviceConfig(settings),
    tokens: {
      issuer: settings.TOKEN_ISSUER,
      audience: settings.TOKEN_AUDIENCE,
      jwksUrl: settings.JWKS_URL,
      accountInternalUrl: settings.ACCOUNT_INTERNAL_URL,
      internalCredential: settings.INTERNAL_CREDENTIAL,
    },
  };
}

import {
  type Environment,
  readSettings,
  type ServiceConfig,
  serviceConfig,
} from '@gpu-observatory/service-runtime';
import { type ReadLimits, readLimits } from './read-limits.config.ts';
import { fleetSettings } from './settings.ts';

export interface TokenConfig {
  issuer: string;
  audience: string;
  jwksUrl: string;
  accountInternalUrl: string;
  internalCredential: string;
  /** Whose hosts share the access cookie. */
  cookieDomain: string | undefined;
}

export interface FleetConfig {
  service: ServiceConfig;
  tokens: TokenConfig;
  readLimits: ReadLimits;
  standbyLagLimitSeconds: number;
  /** For answers that are given again; 0 for none. */
  answerMemoryBytes: number;
  /** The operator's XID table, if there is one. */
  xidTableFile: string | undefined;
}

/** @throws {ConfigurationError} naming each variable at fault */
export function readConfig(environment: Environment): FleetConfig {
  const settings = readSettings(fleetSettings, environment);
  const service = serviceConfig(settings);
  return {
    service,
    tokens: {
      issuer: settings.TOKEN_ISSUER,
      audience: settings.TOKEN_AUDIENCE,
      jwksUrl: settings.JWKS_URL,
      accountInternalUrl: settings.ACCOUNT_INTERNAL_URL,
      internalCredential: settings.INTERNAL_CREDENTIAL,
      cookieDomain: settings.COOKIE_DOMAIN,
    },
    readLimits: readLimits(settings, service.database.poolSize),
    standbyLagLimitSeconds: settings.STANDBY_LAG_LIMIT_SECONDS,
    answerMemoryBytes: settings.ANSWER_MEMORY_MB * 1024 * 1024,
    xidTableFile: settings.XID_TABLE_FILE,
  };
}

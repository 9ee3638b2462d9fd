import {
  type Environment,
  readSettings,
  type ServiceConfig,
  serviceConfig,
  shareOfMemory,
} from '@gpu-observatory/service-runtime/process';
import { type ReadLimits, readLimits, SLOW_READ_TIMEOUT_MS } from './read-limits.config.ts';
import { fleetSettings } from './settings.ts';

/** Maximum share of the container's memory that the response cache uses. */
const MAX_CACHE_SHARE = 1 / 16;

interface TokenConfig {
  issuer: string;
  audience: string;
  jwksUrl: string;
  accountInternalUrl: string;
  internalCredential: string;
  revocations: { stalenessLimitSeconds: number; isRequiredForReadiness: boolean };
  /** The parent domain of the access cookie; undefined for a host-only cookie. */
  cookieDomain: string | undefined;
}

/** Configuration of the service. It is a class so that it can be injected. */
export abstract class FleetConfig {
  abstract service: ServiceConfig;
  abstract publicUrl: string;
  abstract tokens: TokenConfig;
  abstract readLimits: ReadLimits;
  abstract slowReadTimeoutMs: number;
  abstract standbyLagLimitSeconds: number;
  /** Maximum size of the response cache; 0 disables it. */
  abstract responseCacheBytes: number;
  /** Path of the operator's XID table; undefined for the built-in table. */
  abstract xidTableFile: string | undefined;
}

/** @throws {ConfigurationError} with each invalid variable */
export function readConfig(environment: Environment): FleetConfig {
  const settings = readSettings(fleetSettings, environment);
  const service = serviceConfig(settings);
  return {
    service,
    publicUrl: settings.PUBLIC_URL,
    tokens: {
      issuer: settings.TOKEN_ISSUER,
      audience: settings.TOKEN_AUDIENCE,
      jwksUrl: settings.JWKS_URL,
      accountInternalUrl: settings.ACCOUNT_INTERNAL_URL,
      internalCredential: settings.INTERNAL_CREDENTIAL[0],
      revocations: {
        stalenessLimitSeconds: settings.REVOCATION_STALENESS_LIMIT_SECONDS,
        isRequiredForReadiness: settings.REVOCATION_STALENESS_NOT_READY,
      },
      cookieDomain: settings.COOKIE_DOMAIN,
    },
    readLimits: readLimits(settings, service.database.poolSize),
    slowReadTimeoutMs: SLOW_READ_TIMEOUT_MS,
    standbyLagLimitSeconds: settings.STANDBY_LAG_LIMIT_SECONDS,
    responseCacheBytes: shareOfMemory(MAX_CACHE_SHARE, settings.RESPONSE_CACHE_MB * 1024 * 1024),
    xidTableFile: settings.XID_TABLE_FILE,
  };
}

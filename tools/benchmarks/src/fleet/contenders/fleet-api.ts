import type { TokenIssuer } from '@gpu-observatory/identity-provider';
import { type ServiceProcess, startService } from '../../service-process.ts';
import { CONCURRENCY } from '../../target.ts';

/**
 * Starts one process of the built fleet-api.
 *
 * @param cacheMegabytes size of the response cache; 0 turns it off
 */
export function startFleetApi(
  databaseUrl: string,
  issuer: TokenIssuer,
  cacheMegabytes: number,
): Promise<ServiceProcess> {
  return startService('fleet-api', {
    DATABASE_URL: databaseUrl,
    TOKEN_ISSUER: issuer.url,
    JWKS_URL: `${issuer.url}/.well-known/jwks.json`,
    ACCOUNT_INTERNAL_URL: issuer.url,
    INTERNAL_CREDENTIAL: issuer.internalCredential,
    // Only one customer sends load, so it may use all of the machine.
    CUSTOMER_CONCURRENT_READS: String(CONCURRENCY),
    RESPONSE_CACHE_MB: String(cacheMegabytes),
    LOG_LEVEL: 'warn',
  });
}

import { fileURLToPath } from 'node:url';
import { freePort } from '@gpu-observatory/embedded-database';
import { CONCURRENCY } from '../load/target.ts';
import { type ServiceProcess, startProcess } from '../../service-process.ts';
import type { TokenIssuer } from './token-issuer.ts';

const programs = new URL('../../../../../apps/fleet-api/dist/src/', import.meta.url);
const program = fileURLToPath(new URL('main.js', programs));
export const FLEET_CLI = fileURLToPath(new URL('cli.js', programs));

/**
 * Starts one process of the built fleet-api.
 *
 * @param cacheMegabytes size of the response cache; 0 turns it off
 */
export async function startFleetApi(
  databaseUrl: string,
  issuer: TokenIssuer,
  cacheMegabytes: number,
): Promise<ServiceProcess> {
  const [port, managementPort] = [await freePort(), await freePort()];
  return startProcess(program, {
    url: `http://127.0.0.1:${port}`,
    readyUrl: `http://127.0.0.1:${managementPort}/readyz`,
    environment: {
      HOST: '127.0.0.1',
      PORT: String(port),
      MANAGEMENT_PORT: String(managementPort),
      DATABASE_URL: databaseUrl,
      TOKEN_ISSUER: issuer.url,
      JWKS_URL: `${issuer.url}/.well-known/jwks.json`,
      ACCOUNT_INTERNAL_URL: issuer.url,
      INTERNAL_CREDENTIAL: issuer.internalCredential,
      // Only one customer sends load, so it may use all of the machine.
      CUSTOMER_CONCURRENT_READS: String(CONCURRENCY),
      RESPONSE_CACHE_MB: String(cacheMegabytes),
      SHUTDOWN_DRAIN_SECONDS: '0',
      LOG_LEVEL: 'warn',
    },
  });
}

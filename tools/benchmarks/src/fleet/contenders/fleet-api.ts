import { fileURLToPath } from 'node:url';
import { freePort } from '@gpu-observatory/embedded-database';
import { CONCURRENCY } from '../load/target.ts';
import { type ServiceProcess, startProcess } from './service-process.ts';
import type { TokenIssuer } from './token-issuer.ts';

const program = fileURLToPath(new URL('../../../../../apps/fleet-api/dist/src/main.js', import.meta.url));

/**
 * One process of fleet-api, as built.
 *
 * @param memoryMegabytes what it has for answers to give again; with 0 each is made anew
 */
export async function startFleetApi(
  databaseUrl: string,
  issuer: TokenIssuer,
  memoryMegabytes: number,
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
      // The one customer that asks may have the whole machine.
      CUSTOMER_CONCURRENT_READS: String(CONCURRENCY),
      ANSWER_MEMORY_MB: String(memoryMegabytes),
      SHUTDOWN_DRAIN_SECONDS: '0',
      LOG_LEVEL: 'warn',
    },
  });
}

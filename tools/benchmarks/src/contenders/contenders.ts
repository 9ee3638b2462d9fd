import { fileURLToPath } from 'node:url';
import type { Access } from '@gpu-observatory/domain-types';
import { startTokenIssuer } from '@gpu-observatory/identity-provider';
import type { DatabaseServer } from '../database-server.ts';
import { type FleetBuild, type Server, startServer } from '../fleet-build.ts';
import { CLIENTS, Target } from '../load.ts';

const ADMINISTRATOR: Access = [{ customer_id: 1, workspace_ids: 'all' }];

/** Starts servers with callers, and stops them at the end. */
export type Contenders = Awaited<ReturnType<typeof openContenders>>;

export async function openContenders(server: DatabaseServer) {
  const started = new AsyncDisposableStack();
  const issuer = await startTokenIssuer();
  started.defer(() => issuer.stop());
  const environment = (database: string) => ({
    DATABASE_URL: server.urlOf(database, 'fleet_api'),
    TOKEN_ISSUER: issuer.url,
    JWKS_URL: `${issuer.url}/.well-known/jwks.json`,
  });
  const administrator = await issuer.headers(ADMINISTRATOR);
  const targetOf = async (starting: Promise<Server>, headers: Record<string, string>): Promise<Target> => {
    const target = new Target(await starting, headers);
    started.defer(() => target.stop());
    return target;
  };
  return {
    /** One process of a built fleet-api, with or without its response cache. */
    fleetApi: (build: FleetBuild, database: string, { cached }: { cached: boolean }) =>
      targetOf(
        build.start({
          ...environment(database),
          ACCOUNT_INTERNAL_URL: issuer.url,
          INTERNAL_CREDENTIAL: issuer.internalCredential,
          // Only one customer sends load, so it may use all of the machine.
          CUSTOMER_CONCURRENT_READS: String(CLIENTS),
          ...(!cached && { RESPONSE_CACHE_MB: '0' }),
          LOG_LEVEL: 'warn',
        }),
        administrator,
      ),
    /** A hand-written route for each request. */
    handWritten: (database: string) =>
      targetOf(startServer(program('hand-written.ts'), environment(database)), {}),
    /** NestJS with TypeORM. */
    ormBaseline: (database: string) =>
      targetOf(startServer(program('orm-baseline.ts'), environment(database)), administrator),
    [Symbol.asyncDispose]: () => started.disposeAsync(),
  };
}

const program = (name: string) => fileURLToPath(new URL(name, import.meta.url));

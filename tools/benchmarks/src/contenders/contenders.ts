import { fileURLToPath } from 'node:url';
import type { Access } from '@gpu-observatory/domain-types';
import { startTokenIssuer } from '@gpu-observatory/identity-provider';
import type { DatabaseServer } from '../database-server.ts';
import { type FleetBuild, startServer } from '../fleet-build.ts';
import { CLIENTS, Target } from '../load.ts';

const ADMINISTRATOR: Access = [{ customer_id: 1, workspace_ids: 'all' }];

/** Starts servers with callers, and stops them at the end. */
export class Contenders implements AsyncDisposable {
  private readonly issuer: Awaited<ReturnType<typeof startTokenIssuer>>;
  private readonly server: DatabaseServer;
  private readonly started = new AsyncDisposableStack();

  private constructor(issuer: Awaited<ReturnType<typeof startTokenIssuer>>, server: DatabaseServer) {
    this.issuer = issuer;
    this.server = server;
    this.started.defer(() => issuer.stop());
  }

  static async with(server: DatabaseServer): Promise<Contenders> {
    return new Contenders(await startTokenIssuer(), server);
  }

  /** One process of a built fleet-api, with or without its response cache. */
  async fleetApi(build: FleetBuild, database: string, { cached }: { cached: boolean }): Promise<Target> {
    const server = await build.start({
      ...this.environment(database),
      ACCOUNT_INTERNAL_URL: this.issuer.url,
      INTERNAL_CREDENTIAL: this.issuer.internalCredential,
      // Only one customer sends load, so it may use all of the machine.
      CUSTOMER_CONCURRENT_READS: String(CLIENTS),
      ...(!cached && { RESPONSE_CACHE_MB: '0' }),
      LOG_LEVEL: 'warn',
    });
    return this.target(new Target(server, await this.issuer.headers(ADMINISTRATOR)));
  }

  /** A hand-written route for each request. */
  async handWritten(database: string): Promise<Target> {
    return this.target(
      new Target(await startServer(program('hand-written.ts'), this.environment(database)), {}),
    );
  }

  /** NestJS with TypeORM. */
  async ormBaseline(database: string): Promise<Target> {
    const server = await startServer(program('orm-baseline.ts'), this.environment(database));
    return this.target(new Target(server, await this.issuer.headers(ADMINISTRATOR)));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.started.disposeAsync();
  }

  private target(target: Target): Target {
    this.started.defer(() => target.stop());
    return target;
  }

  private environment(database: string) {
    return {
      DATABASE_URL: this.server.urlOf(database, 'fleet_api'),
      TOKEN_ISSUER: this.issuer.url,
      JWKS_URL: `${this.issuer.url}/.well-known/jwks.json`,
    };
  }
}

const program = (name: string) => fileURLToPath(new URL(name, import.meta.url));

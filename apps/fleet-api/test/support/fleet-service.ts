import type { Access } from '@gpu-observatory/domain-types';
import { runService, type RunningService } from '@gpu-observatory/service-runtime';
import { readConfig } from '../../src/config/fleet.config.ts';
import { fleetApi } from '../../src/api/fleet-api.ts';
import { type AccountStandIn, INTERNAL_CREDENTIAL, startAccountStandIn } from './account-stand-in.ts';
import { createFleetDatabase, type FleetDatabase } from './fleet-database.ts';
import { importRecords, type ImportedCounts } from './import-records.ts';

/** fleet-api on real HTTP over a real database of its own. */
export interface FleetService {
  running: RunningService;
  database: FleetDatabase;
  account: AccountStandIn;
  /** GET as a caller with this access; null sends no token. */
  get(path: string, access: Access | null, headers?: Record<string, string>): Promise<Response>;
  /** Imports records through the importer's own writer. */
  import(records: object[]): Promise<ImportedCounts>;
  stop(): Promise<void>;
}

/**
 * @param wayTo the service's own way to its database, where a test stands in between
 * @param definition the service, where a test listens in
 * @param environment what is other than usual
 */
export async function startFleetService({
  wayTo = async (url) => url,
  definition = fleetApi,
  environment = {},
}: {
  wayTo?: (databaseUrl: string) => Promise<string>;
  definition?: typeof fleetApi;
  environment?: Record<string, string>;
} = {}): Promise<FleetService> {
  const database = await createFleetDatabase();
  const account = await startAccountStandIn();
  const config = readConfig({
    HOST: '127.0.0.1',
    PORT: '0',
    MANAGEMENT_PORT: '0',
    LOG_LEVEL: 'silent',
    SHUTDOWN_DRAIN_SECONDS: '0',
    DATABASE_URL: await wayTo(database.apiUrl),
    TOKEN_ISSUER: account.url,
    JWKS_URL: `${account.url}/.well-known/jwks.json`,
    ACCOUNT_INTERNAL_URL: account.url,
    INTERNAL_CREDENTIAL,
    ...environment,
  });
  const running = await runService(definition, config);
  return {
    running,
    database,
    account,
    get: async (path, access, headers = {}) =>
      fetch(`${running.publicUrl}${path}`, {
        headers: {
          ...(access === null ? {} : { authorization: `Bearer ${await account.token(access)}` }),
          ...headers,
        },
      }),
    import: (records) => importRecords(database.importerUrl, records),
    stop: async () => {
      await running.close();
      await account.stop();
      await database.drop();
    },
  };
}

import type { Access } from '@gpu-observatory/domain-types';
import { runService, type RunningService } from '@gpu-observatory/service-runtime';
import { readConfig } from '../../src/config/fleet.config.ts';
import { fleetApi } from '../../src/api/fleet-api.ts';
import { type AccountStub, INTERNAL_CREDENTIAL, startAccountStub } from './account-stub.ts';
import { createFleetDatabase, type FleetDatabase } from './fleet-database.ts';
import { importRecords, type ImportedCounts } from './import-records.ts';

/** fleet-api over HTTP with a database. */
export interface FleetService {
  running: RunningService;
  database: FleetDatabase;
  account: AccountStub;
  /** Sends GET with a token for this access; null sends no token. */
  get(path: string, access: Access | null, headers?: Record<string, string>): Promise<Response>;
  /** Imports records with the importer's writer. */
  import(records: object[]): Promise<ImportedCounts>;
  stop(): Promise<void>;
}

/** Starts the service before the tests of a file, and stops it after them; the fields are set from `beforeAll` on. */
export function useFleetService(options?: Parameters<typeof startFleetService>[0]): FleetService {
  const fleet = {} as FleetService;
  beforeAll(async () => {
    Object.assign(fleet, await startFleetService(options));
  });
  afterAll(() => fleet.stop());
  return fleet;
}

/**
 * @param connectVia maps the database URL of the service, for a proxy
 * @param definition the service definition, for tests that extend it
 * @param environment overrides of the environment
 * @param prepareDatabase called before the service connects
 */
export async function startFleetService({
  connectVia = async (url) => url,
  definition = fleetApi,
  environment = {},
  prepareDatabase = async () => undefined,
}: {
  connectVia?: (databaseUrl: string) => Promise<string>;
  definition?: typeof fleetApi;
  environment?: Record<string, string>;
  prepareDatabase?: (database: FleetDatabase) => Promise<void>;
} = {}): Promise<FleetService> {
  const database = await createFleetDatabase();
  await prepareDatabase(database);
  const account = await startAccountStub();
  const config = readConfig({
    HOST: '127.0.0.1',
    PORT: '0',
    MANAGEMENT_PORT: '0',
    LOG_LEVEL: 'silent',
    SHUTDOWN_DRAIN_SECONDS: '0',
    DATABASE_URL: await connectVia(database.apiUrl),
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

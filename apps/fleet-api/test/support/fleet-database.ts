import { query, withClient } from '@gpu-observatory/embedded-database';
import { createTestDatabase } from '@gpu-observatory/testing';
import { createLogger } from '@gpu-observatory/service-runtime/monitoring';
import { migrate, prepareDatabase } from '@gpu-observatory/service-runtime/process';
import { migrations } from '../../migrations/index.ts';
import { distributionPlan } from '../../src/operations/distribute/distribution-plan.ts';

/** Connection URLs by role. */
export interface FleetUrls {
  administratorUrl: string;
  ownerUrl: string;
  /** The HTTP service's role: SELECT only. */
  apiUrl: string;
  importerUrl: string;
}

/** Creates a migrated database for a test file. */
export interface FleetDatabase extends FleetUrls {
  drop(): Promise<void>;
}

const PASSWORD = 'of-a-test-role';

/** Creates the database before the tests of a file, and drops it after them; the fields are set from `beforeAll` on. */
export function useFleetDatabase(): FleetDatabase {
  const database = {} as FleetDatabase;
  beforeAll(async () => {
    Object.assign(database, await createFleetDatabase());
  });
  afterAll(() => database.drop());
  return database;
}

/**
 * Creates a database on the test server. With FLEET_TEST_DATABASE_URL, the URL of a superuser on an empty database, uses that
 * one, distributed where Citus is installed; then only one test file may run at a time.
 */
export async function createFleetDatabase(): Promise<FleetDatabase> {
  const existing = process.env['FLEET_TEST_DATABASE_URL'];
  if (existing !== undefined) return useDatabase(existing);
  const database = await createTestDatabase('fleet', async (administratorUrl) => {
    await prepareFleetDatabase(administratorUrl);
  });
  return { ...urlsOf(database.url), drop: () => database.drop() };
}

async function useDatabase(administratorUrl: string): Promise<FleetDatabase> {
  const schemas = await query(administratorUrl, "SELECT FROM pg_namespace WHERE nspname = 'fleet'");
  if (schemas.length > 0)
    throw new Error(
      'FLEET_TEST_DATABASE_URL has a schema fleet, which the tests would delete: use an empty database.',
    );
  const urls = await prepareFleetDatabase(administratorUrl);
  const citus = await query(administratorUrl, "SELECT FROM pg_extension WHERE extname = 'citus'");
  if (citus.length > 0) {
    await withClient(urls.ownerUrl, async (owner) => {
      for (const { sql } of await distributionPlan(owner)) await owner.query(sql);
    });
  }
  return {
    ...urls,
    drop: async () => void (await query(administratorUrl, 'DROP SCHEMA fleet CASCADE')),
  };
}

/** Creates the schema and the roles in an existing database. */
export async function prepareFleetDatabase(administratorUrl: string): Promise<FleetUrls> {
  const role = (name: string) => ({ name, password: PASSWORD });
  await prepareDatabase({
    administratorUrl,
    schema: 'fleet',
    owner: role('fleet_owner'),
    runtimes: [role('fleet_api'), role('fleet_importer')],
  });
  await migrate({
    url: as('fleet_owner', administratorUrl),
    schema: 'fleet',
    migrations,
    logger: createLogger('fleet-api', 'silent'),
  });
  return urlsOf(administratorUrl);
}

function urlsOf(administratorUrl: string): FleetUrls {
  return {
    administratorUrl,
    ownerUrl: as('fleet_owner', administratorUrl),
    apiUrl: as('fleet_api', administratorUrl),
    importerUrl: as('fleet_importer', administratorUrl),
  };
}

function as(role: string, databaseUrl: string): string {
  const url = new URL(databaseUrl);
  url.username = role;
  url.password = PASSWORD;
  return url.href;
}

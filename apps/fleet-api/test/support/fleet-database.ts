import { createTestDatabase } from '@gpu-observatory/embedded-database';
import { createLogger, migrate, prepareDatabase } from '@gpu-observatory/service-runtime';
import { migrations } from '../../migrations/index.ts';

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

export async function createFleetDatabase(): Promise<FleetDatabase> {
  const database = await createTestDatabase('fleet', async (administratorUrl) => {
    await prepareFleetDatabase(administratorUrl);
  });
  return { ...urlsOf(database.url), drop: () => database.drop() };
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

import { createTestDatabase } from '@gpu-observatory/embedded-database';
import { createLogger, migrate, prepareDatabase } from '@gpu-observatory/service-runtime';
import { migrations } from '../../migrations/index.ts';

/** One migrated database for a test file, with a URL for each role. */
export interface FleetDatabase {
  administratorUrl: string;
  ownerUrl: string;
  /** The HTTP service's role: SELECT only. */
  apiUrl: string;
  importerUrl: string;
  drop(): Promise<void>;
}

const PASSWORD = 'of-a-test-role';

export async function createFleetDatabase(): Promise<FleetDatabase> {
  const database = await createTestDatabase('fleet', async (administratorUrl) => {
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
  });
  return {
    administratorUrl: database.url,
    ownerUrl: as('fleet_owner', database.url),
    apiUrl: as('fleet_api', database.url),
    importerUrl: as('fleet_importer', database.url),
    drop: () => database.drop(),
  };
}

function as(role: string, databaseUrl: string): string {
  const url = new URL(databaseUrl);
  url.username = role;
  url.password = PASSWORD;
  return url.href;
}

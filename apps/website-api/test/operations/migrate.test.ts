import { createLogger, Database, migrate } from '@gpu-observatory/service-runtime';
import type { TestDatabase } from '@gpu-observatory/embedded-database';
import { migrations } from '../../migrations/index.ts';
import { createWebsiteDatabase, ownerUrl, runtimeUrl } from '../support/website.ts';

const logger = createLogger('website-api', 'silent');
let database: TestDatabase;

beforeAll(async () => {
  database = await createWebsiteDatabase();
});

afterAll(() => database.drop());

describe('migrate', () => {
  it('runs no migration on a migrated schema', async () => {
    const executed = await migrate({ url: ownerUrl(database), schema: 'website', migrations, logger });
    expect(executed).toEqual([]);
  });

  it('grants the runtime role usage, but not creation, on the schema', async () => {
    const runtime = new Database({
      url: runtimeUrl(database),
      poolSize: 1,
      namedStatements: true,
      applicationName: 'migrate-test',
      logger,
    });
    try {
      const [rights] = await runtime.query<object>({
        text: `SELECT has_schema_privilege('website', 'USAGE') AS may_use,
                      has_schema_privilege('website', 'CREATE') AS may_create,
                      has_table_privilege('website.migrations', 'SELECT') AS may_read_migrations`,
      });
      expect(rights).toEqual({ may_use: true, may_create: false, may_read_migrations: false });
    } finally {
      await runtime.stop();
    }
  });
});

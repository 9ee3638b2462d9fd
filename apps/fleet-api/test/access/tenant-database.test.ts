import type { Access } from '@gpu-observatory/domain-types';
import { DependencyUnavailable } from '@gpu-observatory/error-envelopes';
import { createLogger, Database, type Statement } from '@gpu-observatory/service-runtime/process';
import pg from 'pg';
import { type ScopedStatement, TenantDatabase } from '../../src/api/access/tenant-database.ts';
import { dataVersionsSql } from '../../src/api/data-version/data-version.ts';
import { createFleetDatabase, type FleetDatabase } from '../support/fleet-database.ts';
import { importRecords } from '../support/import-records.ts';
import { newReadLimiter } from '../support/read-limiter.ts';
import { alertRecord } from '../support/records.ts';

const ACCESS: Access = [{ customer_id: 1, workspace_ids: 'all' }];
const SEVERAL: Access = [1, 2, 3].map((customer_id) => ({ customer_id, workspace_ids: 'all' }));

let database: FleetDatabase;
let runtime: Database;
let tenants: TenantDatabase;

beforeAll(async () => {
  database = await createFleetDatabase();
  await importRecords(database.importerUrl, [alertRecord(1), alertRecord(2, { customer_id: 2 })]);
  runtime = new Database({
    url: database.apiUrl,
    poolSize: 2,
    namedStatements: true,
    applicationName: 'tenant-database-test',
    logger: createLogger('fleet-api', 'silent'),
  });
  await runtime.start();
  tenants = new TenantDatabase(runtime, newLimiter());
});

const newLimiter = () => newReadLimiter({ fast: 2 });

afterAll(async () => {
  await runtime.stop();
  await database.drop();
});

describe('TenantDatabase', () => {
  it.each<[what: string, build: (statement: ScopedStatement) => string, table: string]>([
    ['without a predicate', () => 'SELECT a.id FROM fleet.alerts a', 'alerts'],
    ['without an alias', () => 'SELECT id FROM fleet.alerts', 'alerts'],
    [
      'with a predicate of the data versions only',
      (statement) => `SELECT a.id, (${dataVersionsSql(statement)}) FROM fleet.alerts AS a`,
      'alerts',
    ],
    [
      'with a predicate that is not in its text',
      (statement) => (statement.rows('a'), 'SELECT a.id FROM fleet.alerts a WHERE a.customer_id = 2'),
      'alerts',
    ],
    [
      'with a predicate of one of two tables',
      (statement) =>
        `SELECT a.id FROM fleet.alerts a JOIN fleet.gpus g ON g.gpu_id = a.gpu_id WHERE ${statement.rows('a')}`,
      'gpus',
    ],
  ])('rejects a statement %s', async (_what, build, table) => {
    const message = `A statement has no predicate of the access scope on ${table}.`;
    await expect(tenants.query(ACCESS, build)).rejects.toThrow(message);
    await expect(tenants.query(ACCESS, build, { prepared: false })).rejects.toThrow(message);
  });

  it('returns the rows in scope', async () => {
    const rows = await tenants.query(
      ACCESS,
      (statement) => `SELECT a.customer_id FROM fleet.alerts a WHERE ${statement.rows('a')}`,
    );
    expect(rows).toEqual([{ customer_id: 1 }]);
  });

  it('sends no query for an empty access', async () => {
    const build = () => {
      throw new Error('queried');
    };
    expect(await tenants.query([], build)).toEqual([]);
    expect(await tenants.query(ACCESS, build, { filter: { customerId: 2 } })).toEqual([]);
    expect(await tenants.read([], {}, (parts) => Promise.resolve(parts))).toEqual([]);
  });

  it('limits the time of a read over all of its statements', async () => {
    const limited = new TenantDatabase(runtime, newLimiter(), 600);
    const read = limited.read(ACCESS, { isSlow: true }, async ([part]) => {
      for (let n = 0; n < 3; n++) {
        await part!.query(
          (statement) => `SELECT pg_sleep(0.25) FROM fleet.alerts a WHERE ${statement.rows('a')}`,
        );
      }
    });
    await expect(read).rejects.toBeInstanceOf(DependencyUnavailable);
  });

  it.each([
    ['prepares a statement', {}, true],
    ['prepares one with a filter on the customer', { filter: { customerId: 1 } }, true],
    ['prepares none with a filter on a workspace', { filter: { workspaceId: 10 } }, false],
    ['prepares none with a filter on an API key', { filter: { apiKeyId: 7 } }, false],
    ['prepares none with many variants', { prepared: false }, false],
  ])('%s', async (_what, options, isPrepared) => {
    const sent: Statement[] = [];
    const recording = { query: (statement: Statement) => (sent.push(statement), Promise.resolve([])) };
    const reads = new TenantDatabase(recording as unknown as Database, newLimiter());
    await reads.query(ACCESS, (statement) => `SELECT 1 FROM fleet.alerts a WHERE ${statement.rows('a')}`, {
      ...options,
      isQuick: true,
    });
    expect(sent).toMatchObject([{ isQuickRead: isPrepared }]);
    expect(sent[0]?.name !== undefined).toBe(isPrepared);
  });
});

describe('a read over several customers', () => {
  it('sends one statement per customer', async () => {
    const customers: number[] = [];
    const rows = await tenants.query<{ customer_id: number }>(SEVERAL, (statement) => {
      customers.push(statement.scope.customerId);
      return `SELECT a.customer_id FROM fleet.alerts a WHERE ${statement.rows('a')}`;
    });
    expect(customers).toEqual([1, 2, 3]);
    expect(rows).toEqual([{ customer_id: 1 }, { customer_id: 2 }]);
  });

  it('sends none for customers without anything to read', async () => {
    const rows = await tenants.query(SEVERAL, (statement) =>
      statement.scope.customerId === 2
        ? `SELECT a.customer_id FROM fleet.alerts a WHERE ${statement.rows('a')}`
        : null,
    );
    expect(rows).toEqual([{ customer_id: 2 }]);
  });

  it.each([
    ['at most four statements of a read', {}, 4],
    ['one statement of a slow read', { isSlow: true }, 1],
  ])('runs %s at a time', async (_what, options, expected) => {
    let running = 0;
    let most = 0;
    const counting = {
      query: async () => {
        running += 1;
        most = Math.max(most, running);
        await new Promise((resolve) => setImmediate(resolve));
        running -= 1;
        return [];
      },
    };
    const access = Array.from({ length: 9 }, (_unused, n) => ({
      customer_id: n + 1,
      workspace_ids: 'all' as const,
    }));
    const reads = new TenantDatabase(counting as unknown as Database, newLimiter());
    await reads.query(
      access,
      (statement) => `SELECT 1 FROM fleet.alerts a WHERE ${statement.rows('a')}`,
      options,
    );
    expect(most).toBe(expected);
    expect(running).toBe(0);
  });
});

describe('the database role of the HTTP service', () => {
  const PERMISSION_DENIED = '42501';
  let client: pg.Client;

  beforeAll(async () => {
    client = new pg.Client({ connectionString: database.apiUrl });
    await client.connect();
  });

  afterAll(() => client.end());

  it('can read the tables that it needs', async () => {
    for (const table of ['alerts', 'alert_details', 'gpus', 'gpu_days', 'data_versions', 'workspaces']) {
      await expect(client.query(`SELECT count(*) FROM fleet.${table}`)).resolves.toMatchObject({
        rowCount: 1,
      });
    }
  });

  it.each([
    "INSERT INTO fleet.workspaces (customer_id, workspace_id, name) VALUES (1, 1, 'x')",
    'UPDATE fleet.data_versions SET seq = 0',
    'DELETE FROM fleet.alerts',
    'TRUNCATE fleet.alerts',
    'SELECT fleet.ensure_partition($$alerts$$, now())',
    'CREATE TABLE fleet.mine (id integer)',
    'CREATE TABLE public.mine (id integer)',
    'CREATE SCHEMA mine',
    'ALTER TABLE fleet.alerts ADD COLUMN mine integer',
    'DROP TABLE fleet.alerts',
    'SET ROLE fleet_owner',
    'CREATE ROLE mine',
    "COPY fleet.alerts TO PROGRAM 'true'",
    'SELECT pg_read_file($$/etc/hostname$$)',
    'SELECT lo_from_bytea(0, $$\\x01$$)',
    'SELECT lo_create(0)',
  ])('may not %s', async (statement) => {
    await expect(client.query(statement)).rejects.toMatchObject({ code: PERMISSION_DENIED });
  });
});

import type { Access } from '@gpu-observatory/domain-types';
import { createLogger } from '@gpu-observatory/service-runtime/monitoring';
import {
  Database,
  DependencyUnavailable,
  type Statement,
  StatementTimeout,
} from '@gpu-observatory/service-runtime/process';
import pg from 'pg';
import { TenantDatabase } from '../../src/api/access/tenant-database.ts';
import { inScopeSql } from '../../src/api/access/scope.sql.ts';
import { TenantStatement } from '../../src/api/access/tenant-statement.ts';
import { DATA_VERSION } from '../../src/api/data-version/data-version.ts';
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
  tenants = newTenantDatabase(runtime);
});

const newTenantDatabase = (connection: Database, slowReadTimeoutMs = 20_000) =>
  new TenantDatabase(connection, newReadLimiter({ fast: 2 }), { slowReadTimeoutMs });

afterAll(async () => {
  await runtime.stop();
  await database.drop();
});

const CUSTOMERS = new TenantStatement(
  `SELECT a.customer_id FROM fleet.alerts a WHERE ${inScopeSql('a')}`,
).with({});

describe('TenantStatement', () => {
  it.each([
    ['without a predicate', 'SELECT a.id FROM fleet.alerts a', 'alerts'],
    ['without an alias', 'SELECT id FROM fleet.alerts', 'alerts'],
    [
      'with a predicate of the data version only',
      `SELECT a.id, ${DATA_VERSION} FROM fleet.alerts AS a`,
      'alerts',
    ],
    ['with another customer', 'SELECT a.id FROM fleet.alerts a WHERE a.customer_id = 2', 'alerts'],
    [
      'with a predicate of one of two tables',
      'SELECT a.id FROM fleet.alerts a JOIN fleet.gpus g ON g.gpu_id = a.gpu_id WHERE a.customer_id = :customer',
      'gpus',
    ],
  ])('rejects a text %s', (_what, sql, table) => {
    expect(() => new TenantStatement(sql)).toThrow(
      `A statement has no predicate on the customer of ${table}: ${sql}`,
    );
  });

  it('takes its values by name, the scope from the access only', () => {
    const statement = new TenantStatement<{ id: string; at: string }>(
      "SELECT :id::text, :at, '00:00', :id, :workspaces, :apiKey FROM fleet.gpus g WHERE g.customer_id = :customer",
    );
    expect(statement.text).toBe(
      "SELECT $1::text, $2, '00:00', $1, $3, $4 FROM fleet.gpus g WHERE g.customer_id = $5",
    );
    const others = { id: 'a', at: 'b', customer: 2, workspaces: [9], unused: 1 };
    expect(statement.with(others).values({ customerId: 1, workspaceIds: [null, 10] })).toEqual([
      'a',
      'b',
      [0, 10],
      null,
      1,
    ]);
    expect(() => statement.with({ id: 'a' } as never).values({ customerId: 1, workspaceIds: 'all' })).toThrow(
      'The parameter :at has no value',
    );
  });

  it('is prepared under a name of its text, unless a request determines the text', () => {
    expect(CUSTOMERS.name).toBe(
      new TenantStatement(`SELECT a.customer_id FROM fleet.alerts a WHERE ${inScopeSql('a')}`).name,
    );
    expect(CUSTOMERS.name).toMatch(/^[\w-]{24}$/);
    expect(new TenantStatement('SELECT 1', { isPrepared: false }).name).toBeUndefined();
  });
});

describe('TenantDatabase', () => {
  it('returns the rows in scope', async () => {
    expect(await tenants.query(ACCESS, () => CUSTOMERS)).toEqual([{ customer_id: 1 }]);
  });

  it('sends no query for an empty access', async () => {
    const statement = () => new TenantStatement('SELECT 1 / 0').with({});
    expect(await tenants.query([], statement)).toEqual([]);
    expect(await tenants.query(ACCESS, statement, { filter: { customerId: 2 } })).toEqual([]);
    expect(await tenants.read([], {}, (customers) => Promise.resolve(customers))).toEqual([]);
  });

  it('limits the time of a read over all of its statements', async () => {
    const limited = newTenantDatabase(runtime, 600);
    const sleep = new TenantStatement(`SELECT pg_sleep(0.25) FROM fleet.alerts a WHERE ${inScopeSql('a')}`);
    const read = limited.read(ACCESS, { isSlow: true }, async ([customer]) => {
      for (let n = 0; n < 3; n++) await customer!.query(sleep.with({}));
    });
    await expect(read).rejects.toBeInstanceOf(DependencyUnavailable);
  });

  it('sends no further statement when the time of a read has ended', async () => {
    let sent = 0;
    const slow = {
      query: async () => {
        sent += 1;
        await new Promise((resolve) => setTimeout(resolve, 50));
        return [];
      },
    };
    const reads = newTenantDatabase(slow as unknown as Database, 20);
    const read = reads.query(SEVERAL, () => CUSTOMERS, { isSlow: true });
    await expect(read).rejects.toBeInstanceOf(StatementTimeout);
    expect(sent).toBe(1);
  });

  it('shares connections for quick statements that are prepared', async () => {
    const sent: Statement[] = [];
    const recording = { query: (statement: Statement) => (sent.push(statement), Promise.resolve([])) };
    const reads = newTenantDatabase(recording as unknown as Database);
    const unprepared = new TenantStatement('SELECT 1', { isPrepared: false }).with({});
    await reads.query(ACCESS, () => CUSTOMERS, { isQuick: true });
    await reads.query(ACCESS, () => CUSTOMERS);
    await reads.query(ACCESS, () => unprepared, { isQuick: true });
    expect(sent.map(({ isQuickRead }) => isQuickRead)).toEqual([true, false, false]);
  });
});

describe('a read over several customers', () => {
  it('sends one statement per customer', async () => {
    const customers: number[] = [];
    const rows = await tenants.read(SEVERAL, {}, async (readers) => {
      customers.push(...readers.map(({ scope }) => scope.customerId));
      return (
        await Promise.all(readers.map(({ query }) => query<{ customer_id: number }>(CUSTOMERS)))
      ).flat();
    });
    expect(customers).toEqual([1, 2, 3]);
    expect(rows).toEqual([{ customer_id: 1 }, { customer_id: 2 }]);
    expect(await tenants.query(SEVERAL, () => CUSTOMERS)).toEqual(rows);
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
    const reads = newTenantDatabase(counting as unknown as Database);
    await reads.query(access, () => CUSTOMERS, options);
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

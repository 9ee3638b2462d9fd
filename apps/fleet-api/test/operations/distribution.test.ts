import { spawnSync } from 'node:child_process';
import { OwnerDatabase } from '@gpu-observatory/service-runtime/process';
import { fileURLToPath } from 'node:url';
import { distributionPlan, requireCitus } from '../../src/operations/distribute/distribution-plan.ts';
import { catalogViolations, distributionViolations, SHARED_TABLES } from '../support/distribution-lint.ts';
import { imitateCitus } from '../support/citus-catalog.ts';
import { createFleetDatabase, useFleetDatabase } from '../support/fleet-database.ts';
import { rowsOf } from '../support/fleet-tables.ts';
import { sqlInSources } from '../support/sql-in-sources.ts';
import { importRecords } from '../support/import-records.ts';
import { alertRecord, gpuRecord, minutesAgo, sampleRecord } from '../support/records.ts';

const database = useFleetDatabase();
beforeAll(async () => {
  await importRecords(database.importerUrl, [
    gpuRecord('GPU-1'),
    sampleRecord('GPU-1', minutesAgo(1)),
    alertRecord(1),
  ]);
});

/** Migrations that prevent distribution, and what the check reports. */
const VIOLATIONS = [
  ['CREATE TABLE fleet.bad1 (id uuid PRIMARY KEY)', 'bad1 has no customer_id of type integer'],
  ['CREATE TABLE fleet.bad2 (customer_id integer NOT NULL)', 'bad2 has no primary key'],
  [
    'CREATE TABLE fleet.bad3 (customer_id integer, id uuid, PRIMARY KEY (id, customer_id))',
    'bad3_pkey of bad3 does not begin with customer_id',
  ],
  [
    'ALTER TABLE fleet.workspaces ADD CONSTRAINT bad4 UNIQUE (name)',
    'bad4 of workspaces does not begin with customer_id',
  ],
  [
    'CREATE INDEX bad5 ON fleet.gpus (lower(hostname), customer_id)',
    'bad5 of gpus does not begin with customer_id',
  ],
  [
    'CREATE TABLE fleet.bad6 (customer_id integer PRIMARY KEY, n bigint GENERATED ALWAYS AS IDENTITY)',
    'n of bad6 draws from a sequence, which nodes do not share',
  ],
  [
    'CREATE TABLE fleet.bad7 (customer_id integer, day timestamptz, PRIMARY KEY (customer_id, day)) PARTITION BY RANGE (day)',
    'bad7 is a partitioned table that fleet.partitioned_tables does not know',
  ],
  [
    "CREATE FUNCTION fleet.bad8() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END'; CREATE TRIGGER bad8 AFTER INSERT ON fleet.gpus FOR EACH ROW EXECUTE FUNCTION fleet.bad8()",
    'bad8 of gpus is a trigger',
  ],
] as const;

describe('the migrated schema', () => {
  it('can be distributed by customer_id, partitions included', async () => {
    expect(await catalogViolations(database.administratorUrl)).toEqual([]);
  });

  it('is checked: each violation is reported', async () => {
    const own = await createFleetDatabase();
    for (const [migration] of VIOLATIONS) await rowsOf(own.ownerUrl, migration);
    const faults = await catalogViolations(own.administratorUrl);
    await own.drop();
    expect(faults).toEqual(expect.arrayContaining(VIOLATIONS.map(([, fault]) => fault)));
  });
});

describe('the SQL of the sources', () => {
  const statements = sqlInSources();

  it('needs only one node', () => {
    expect(statements.length).toBeGreaterThan(60);
    const faults = statements.flatMap(({ location, sql }) =>
      distributionViolations(sql).map((fault) => `${location}: ${fault}`),
    );
    expect(faults).toEqual([]);
  });

  it.each([
    ['SELECT 1 FROM fleet.gpus g WHERE g.customer_id = $1 OFFSET 10', 'OFFSET'],
    [
      'SELECT 1 FROM fleet.gpus g WHERE g.customer_id = $1 GROUP BY GROUPING SETS ((vendor), ())',
      'GROUPING SETS',
    ],
    [
      'CREATE TABLE fleet.bad (customer_id integer, id uuid, UNIQUE (id))',
      'UNIQUE that does not begin with customer_id',
    ],
  ])('the check fails with %s', (sql, fault) => {
    expect(distributionViolations(sql)).toEqual([fault]);
  });
});

describe('distribute', () => {
  const run = (args: string[]) =>
    spawnSync(
      process.execPath,
      [fileURLToPath(new URL('../../dist/src/cli.js', import.meta.url)), 'distribute', ...args],
      {
        env: { PATH: process.env.PATH, OWNER_DATABASE_URL: database.ownerUrl },
        encoding: 'utf8',
      },
    );

  it('covers every table: reference tables, the anchor, and the colocated others', async () => {
    const owner = new OwnerDatabase(database.ownerUrl, { schema: 'fleet', lockTimeoutSeconds: 5 });
    const plan = await distributionPlan(await owner.open());
    await owner.close();
    const tables = await rowsOf<{ name: string }>(
      database.administratorUrl,
      `SELECT relname AS name FROM pg_class WHERE relnamespace = 'fleet'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition`,
    );
    const moved = plan.filter(({ kind }) => kind !== 'local rows');
    expect(
      moved
        .map(({ table }) => table)
        .concat('migrations')
        .sort(),
    ).toEqual(tables.map(({ name }) => name).sort());
    expect(plan.slice(moved.length).map(({ sql }) => sql)).toEqual(
      moved.map(({ table }) => `SELECT truncate_local_data_after_distributing_table('fleet.${table}')`),
    );
    expect(plan.filter(({ kind }) => kind === 'reference').map(({ table }) => table)).toEqual(
      Object.keys(SHARED_TABLES).filter((table) => table !== 'migrations'),
    );
    const [anchor, ...others] = plan.filter(({ kind }) => kind === 'distributed').map(({ sql }) => sql);
    expect(anchor).toBe(
      "SELECT create_distributed_table('fleet.data_versions', 'customer_id', colocate_with => 'none')",
    );
    for (const sql of others)
      expect(sql).toMatch(/, 'customer_id', colocate_with => 'fleet.data_versions'\)$/);
    expect(others).toContain(
      "SELECT create_distributed_table('fleet.alerts', 'customer_id', colocate_with => 'fleet.data_versions')",
    );
  });

  it('rejects a server without Citus; a dry run prints the statements', () => {
    const rejected = run([]);
    expect([rejected.status, rejected.stdout]).toEqual([1, '']);
    expect(rejected.stderr).toMatch(
      /^fleet-api: the Citus extension is missing: .* CREATE EXTENSION citus in this database; --dry-run prints/,
    );
    const dryRun = run(['--dry-run']);
    expect(dryRun.status).toBe(0);
    expect(dryRun.stdout).toMatch(/^SELECT create_reference_table\('fleet\.partitioned_tables'\);\n/);
  });

  it('rejects roles prepared without Citus and tables without a customer, and plans to delete the rows of distributed tables', async () => {
    const own = await createFleetDatabase();
    await importRecords(own.importerUrl, [alertRecord(1)]);
    await imitateCitus(own.administratorUrl);
    const owner = new OwnerDatabase(own.ownerUrl, { schema: 'fleet', lockTimeoutSeconds: 5 });
    const client = await owner.open();
    await expect(requireCitus(client)).resolves.toBeUndefined();
    await rowsOf(
      own.administratorUrl,
      `ALTER ROLE fleet_api IN DATABASE ${new URL(own.administratorUrl).pathname.slice(1)} SET plan_cache_mode = force_generic_plan`,
    );
    await expect(requireCitus(client)).rejects.toThrow(
      'Citus rejects the statements of fleet_api, because plan_cache_mode is force_generic_plan: run `fleet database prepare`',
    );
    const open = (await distributionPlan(client)).filter(({ done }) => !done);
    expect(open.map(({ kind }) => kind)).toEqual(open.map(() => 'local rows'));
    expect(open.map(({ table }) => table)).toEqual(expect.arrayContaining(['alerts', 'alert_counts']));
    expect(open.map(({ table }) => table)).not.toContain('gpus');
    await rowsOf(own.ownerUrl, 'CREATE TABLE fleet.bad (id uuid PRIMARY KEY)');
    await expect(distributionPlan(client)).rejects.toThrow(
      'fleet.bad has no integer customer_id to distribute by; nothing was changed',
    );
    await owner.close();
    await own.drop();
  });
});

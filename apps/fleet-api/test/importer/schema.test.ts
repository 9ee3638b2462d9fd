import { DataSource } from 'typeorm';
import { migrations } from '../../migrations/index.ts';
import { createFleetDatabase, useFleetDatabase } from '../support/fleet-database.ts';
import { fleetTables, rowsOf } from '../support/fleet-tables.ts';
import { importRecords } from '../support/import-records.ts';
import { alertRecord, alertStateRecord, gpuRecord, minutesAgo, sampleRecord } from '../support/records.ts';

const database = useFleetDatabase();
beforeAll(async () => {
  await importRecords(database.importerUrl, [
    gpuRecord('GPU-1'),
    sampleRecord('GPU-1', minutesAgo(1)),
    alertRecord(1),
  ]);
});

const query = <Row extends object>(text: string) => rowsOf<Row>(database.administratorUrl, text);

test('text compares by code point, times have milliseconds', async () => {
  expect(
    await query(`
      SELECT c.relname, a.attname, format_type(a.atttypid, a.atttypmod) AS type, l.collname
      FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid LEFT JOIN pg_collation l ON l.oid = a.attcollation
      WHERE c.relnamespace = 'fleet'::regnamespace AND c.relkind IN ('r', 'p') AND a.attnum > 0 AND NOT a.attisdropped
        AND c.relname <> 'migrations'
        AND (a.atttypid = 'timestamptz'::regtype AND a.atttypmod <> 3
          OR a.atttypid = 'timestamp'::regtype
          OR a.atttypid IN ('text'::regtype, 'varchar'::regtype) AND l.collname <> 'C')`),
  ).toEqual([]);
});

describe('roles', () => {
  test('fleet_api only has SELECT', async () => {
    expect(
      await query(`
        SELECT c.relname, p AS privilege FROM pg_class c,
          unnest(ARRAY['INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'REFERENCES', 'TRIGGER']) AS p
        WHERE c.relnamespace = 'fleet'::regnamespace AND c.relkind IN ('r', 'p') AND has_table_privilege('fleet_api', c.oid, p)
        UNION ALL
        SELECT p.proname, 'EXECUTE' FROM pg_proc p
        WHERE p.pronamespace = 'fleet'::regnamespace AND has_function_privilege('fleet_api', p.oid, 'EXECUTE')`),
    ).toEqual([]);
  });

  test('fleet_importer may write, delete only past states, and run no DDL', async () => {
    expect(
      await query(`
        SELECT c.relname, p AS privilege FROM pg_class c,
          unnest(ARRAY['DELETE', 'TRUNCATE', 'REFERENCES', 'TRIGGER']) AS p
        WHERE c.relnamespace = 'fleet'::regnamespace AND c.relkind IN ('r', 'p')
          AND has_table_privilege('fleet_importer', c.oid, p)`),
    ).toEqual([{ relname: 'alert_past_states', privilege: 'DELETE' }]);
    for (const statement of [
      'CREATE TABLE fleet.mine (customer_id integer)',
      'ALTER TABLE fleet.gpus ADD COLUMN mine text',
      'DROP TABLE fleet.gpus',
      'UPDATE fleet.partitioned_tables SET grain = grain',
    ])
      await expect(rowsOf(database.importerUrl, statement)).rejects.toThrow(
        /permission denied|must be owner/,
      );
  });

  test.each([
    ['pg_class', '2026-11-21T00:00:00Z', /fleet.pg_class is not a partitioned table/],
    ['gpus; DROP TABLE fleet.gpus', '2026-11-21T00:00:00Z', /is not a partitioned table/],
    ['alerts', '2020-01-01T00:00:00Z', /outside the retention period/],
    ['alerts', '2099-01-01T00:00:00Z', /outside the retention period/],
    ['alerts', 'infinity', /outside the retention period/],
  ])('creates no partition of %s for %s', async (table, at, reason) => {
    await expect(
      rowsOf(database.importerUrl, 'SELECT fleet.ensure_partition($1, $2)', [table, at]),
    ).rejects.toThrow(reason);
  });
});

test('migrations can be reverted and run again', async () => {
  const own = await createFleetDatabase();
  const source = new DataSource({
    type: 'postgres',
    url: own.ownerUrl,
    schema: 'fleet',
    migrations,
    migrationsTableName: 'migrations',
  });
  try {
    await source.initialize();
    for (const _migration of migrations) await source.undoLastMigration();
    expect(Object.keys(await fleetTables(own.administratorUrl))).toEqual(['migrations']);
    await source.runMigrations();
    expect(
      await importRecords(own.importerUrl, [
        gpuRecord('GPU-1'),
        sampleRecord('GPU-1', minutesAgo(1), { xid_last_code: 79 }),
        alertRecord(1),
        alertStateRecord(1, 'ignored'),
      ]),
    ).toMatchObject({ written: 4, rejected: 0 });
  } finally {
    await source.destroy();
    await own.drop();
  }
});

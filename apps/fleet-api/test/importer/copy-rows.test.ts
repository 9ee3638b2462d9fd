import fc from 'fast-check';
import type { CopyRow, CopyValue } from '../../src/importer/write/copy-rows.ts';
import { ImportConnection } from '../../src/importer/write/import-connection.ts';
import { createFleetDatabase, type FleetDatabase } from '../support/fleet-database.ts';
import { rowsOf } from '../support/fleet-tables.ts';

const TYPES = {
  row: 'integer',
  rank: 'smallint',
  total: 'bigint',
  reading: 'real',
  flag: 'boolean',
  text: 'text',
  id: 'uuid',
  at: 'timestamptz(3)',
  keys: 'integer[]',
} as const;
const COLUMNS = Object.keys(TYPES) as (keyof typeof TYPES)[];
const VALUES = fc.tuple(
  fc.integer({ min: -32_768, max: 32_767 }),
  fc.maxSafeInteger(),
  fc.float({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
  fc.boolean(),
  fc.string({ unit: 'grapheme', maxLength: 50 }).map((text) => text.replaceAll('\0', '')),
  fc.uuid(),
  fc
    .date({
      min: new Date('1970-01-01T00:00:00Z'),
      max: new Date('9999-12-31T23:59:59.999Z'),
      noInvalidDate: true,
    })
    .map((at) => at.toISOString()),
  fc.array(fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }), { maxLength: 5 }),
);

let database: FleetDatabase;
let connection: ImportConnection;
beforeAll(async () => {
  database = await createFleetDatabase();
  const types = Object.entries(TYPES).map(([name, type]) => `"${name}" ${type}`);
  await rowsOf(database.administratorUrl, `CREATE TABLE fleet.copied (${types.join(', ')})`);
  await rowsOf(database.administratorUrl, 'GRANT INSERT ON fleet.copied TO fleet_importer');
  connection = await ImportConnection.open(database.importerUrl);
});
afterAll(async () => {
  await connection.close();
  await database.drop();
});

async function copied(rows: CopyValue[][]): Promise<unknown[]> {
  await rowsOf(database.administratorUrl, 'DELETE FROM fleet.copied');
  const named = rows.map((row, n) =>
    Object.fromEntries(COLUMNS.map((column, i) => [column, [n, ...row][i]])),
  );
  await connection.copy('fleet.copied', COLUMNS, named as CopyRow<keyof typeof TYPES>[]);
  const stored = await rowsOf<Record<string, unknown>>(
    database.administratorUrl,
    'SELECT rank, total, reading, flag, text, id, at, keys FROM fleet.copied ORDER BY row',
  );
  return stored.map(({ total, reading, at, ...row }) => ({
    ...row,
    total: total === null ? null : Number(total),
    reading: reading === null ? null : Math.fround(Number(reading)),
    at: at === null ? null : (at as Date).toISOString(),
  }));
}

const named = ([rank, total, reading, flag, text, id, at, keys]: CopyValue[]) => ({
  rank,
  total,
  reading,
  flag,
  text,
  id,
  at,
  keys,
});

test('stores all values exactly', async () => {
  const value = VALUES.chain((values) =>
    fc.tuple(...values.map((one) => fc.option(fc.constant<CopyValue>(one), { freq: 8 }))),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(value, { maxLength: 50 }), async (rows) => {
      expect(await copied(rows)).toEqual(rows.map((row) => named(row)));
    }),
    { numRuns: 30 },
  );
});

test('splits rows into chunks, also those that are longer than one', async () => {
  const texts = ['é'.repeat(100_000), ...Array.from({ length: 3_000 }, (_unused, n) => `${n} `.repeat(20))];
  const stored = await copied(texts.map((text) => [1, 2, 3, true, text, null, null, null]));
  expect(stored.map((row) => (row as { text: string }).text)).toEqual(texts);
});

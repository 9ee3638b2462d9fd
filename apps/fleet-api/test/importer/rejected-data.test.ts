import { useFleetDatabase } from '../support/fleet-database.ts';
import { fleetTables, rowsOf } from '../support/fleet-tables.ts';
import { importRecords } from '../support/import-records.ts';
import { alertRecord, gpuDayRecord, gpuRecord, minutesAgo, sampleRecord } from '../support/records.ts';

const database = useFleetDatabase();

const NOW = Date.now();
const daysAgo = (days: number) => minutesAgo(days * 1_440, NOW);
const dayAgo = (days: number) => daysAgo(days).slice(0, 10);
const day = (gpuId: string, days: number) => gpuDayRecord(gpuId, dayAgo(days), { ecc_errors: 1 });
const gpuIds = Array.from({ length: 12 }, (_unused, n) => `GPU-${n}`);

test('an overflowing sum rejects only the records that do not fit', async () => {
  const gpus = gpuIds.map((gpuId) => gpuRecord(gpuId, { at: daysAgo(5) }));
  await importRecords(database.importerUrl, [...gpus, day('GPU-0', 3)]);
  // Near the maximum of bigint, with room for five more.
  await rowsOf(
    database.administratorUrl,
    `UPDATE fleet.metric_days SET ecc_errors = 9223372036854775807 - 5 RETURNING day`,
  );
  const lines = gpuIds.flatMap((gpuId, n) => [
    day(gpuId, 3),
    day(gpuId, 2),
    sampleRecord(gpuId, daysAgo(1), { temperature_c: 40 }),
    alertRecord(n + 1, { gpu_id: gpuId }),
  ]);
  const first = await importRecords(database.importerUrl, lines);
  expect(first).toMatchObject({ written: 12 * 3 + 5, duplicate: 1, rejected: 6 });
  expect(new Set(first.rejects.map(({ reason }) => reason))).toEqual(
    new Set(['the database cannot store the record: bigint out of range']),
  );
  expect(first.rejects.every(({ text }) => text.includes(dayAgo(3)))).toBe(true);
  expect(
    await rowsOf(
      database.administratorUrl,
      `SELECT ecc_errors::text, gpu_utilization_n::integer AS n FROM fleet.metric_days
       WHERE scope_kind = 0 AND day <= $1 ORDER BY day`,
      [dayAgo(2)],
    ),
  ).toEqual([
    { ecc_errors: '9223372036854775807', n: 6 * 48 },
    { ecc_errors: '12', n: 12 * 48 },
  ]);
  const before = await fleetTables(database.administratorUrl);
  expect(await importRecords(database.importerUrl, lines)).toMatchObject({
    written: 0,
    duplicate: 12 * 3 + 6,
    rejected: 6,
  });
  expect(await fleetTables(database.administratorUrl)).toEqual(before);
});

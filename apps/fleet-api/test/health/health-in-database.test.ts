import { healthSql } from '../../src/model/health/health.sql.ts';
import { useFleetDatabase } from '../support/fleet-database.ts';
import { rowsOf } from '../support/fleet-tables.ts';
import { importBatches } from '../support/import-records.ts';
import { gpuRecord, minutesAgo, sampleRecord, xidRecord } from '../support/records.ts';

const database = useFleetDatabase();

const healthOf = async (gpuId: string) => {
  const [row] = await rowsOf<{ health: string }>(
    database.apiUrl,
    `SELECT ${healthSql('g')} AS health FROM fleet.gpus g WHERE g.gpu_id = $1`,
    [gpuId],
  );
  return row?.health;
};
/** Imports each sample over its own connection, so that the state is read from the database. */
const history = async (gpuId: string, samples: [number, object][], inventory: object = {}) => {
  await importBatches(database.importerUrl, [[gpuRecord(gpuId, { at: minutesAgo(10_000), ...inventory })]]);
  for (const [minutes, readings] of samples)
    await importBatches(database.importerUrl, [[sampleRecord(gpuId, minutesAgo(minutes), readings)]]);
};

test('missing after five report intervals, at least five minutes', async () => {
  await history('GPU-silent', [[5.1, {}]]);
  await history('GPU-speaks', [[4.9, {}]]);
  await history('GPU-rare', [[14, {}]], { report_interval_seconds: 180 });
  await history('GPU-rare-silent', [[15.1, {}]], { report_interval_seconds: 180 });
  expect([
    await healthOf('GPU-silent'),
    await healthOf('GPU-speaks'),
    await healthOf('GPU-rare'),
    await healthOf('GPU-rare-silent'),
  ]).toEqual(['missing', 'healthy', 'healthy', 'missing']);
});

test('fallen off the bus: critical, then missing', async () => {
  await history('GPU-79', [
    [2, { xid_last_code: 0 }],
    [1, { xid_last_code: 79 }],
  ]);
  expect(await healthOf('GPU-79')).toBe('critical');
  await history('GPU-79-silent', [
    [20, { xid_last_code: 0 }],
    [19, { xid_last_code: 79 }],
  ]);
  expect(await healthOf('GPU-79-silent')).toBe('missing');
});

test('compares counters, throttle onsets and XIDs across imports', async () => {
  await history('GPU-grows', [
    [3, { ecc_double_bit_total: 1 }],
    [2, { ecc_double_bit_total: 1 }],
  ]);
  expect(await healthOf('GPU-grows')).toBe('healthy');
  await importBatches(database.importerUrl, [
    [sampleRecord('GPU-grows', minutesAgo(1), { ecc_double_bit_total: 2 })],
  ]);
  expect(await healthOf('GPU-grows')).toBe('critical');

  const throttled = Array.from({ length: 13 }, (_unused, n): [number, object] => [
    7 - n / 2,
    { throttle_reasons: n % 2 === 0 ? 0 : 0x40 },
  ]);
  await history('GPU-throttled', throttled.slice(0, 10));
  expect(await healthOf('GPU-throttled')).toBe('healthy');
  for (const [minutes, readings] of throttled.slice(10))
    await importBatches(database.importerUrl, [
      [sampleRecord('GPU-throttled', minutesAgo(minutes), readings)],
    ]);
  expect(await healthOf('GPU-throttled')).toBe('degraded');
});

test('late samples count, but do not affect health', async () => {
  await history(
    'GPU-late',
    [
      [1, { xid_last_code: 0, temperature_c: 40, ecc_double_bit_total: 0 }],
      [3, { xid_last_code: 79, temperature_c: 99, ecc_double_bit_total: 9 }],
    ],
    { shutdown_temperature_c: 92 },
  );
  expect(await healthOf('GPU-late')).toBe('healthy');
  const [row] = await rowsOf<{ samples: number; events: number; celsius: number }>(
    database.administratorUrl,
    `SELECT (SELECT count(*) FROM fleet.gpu_samples WHERE gpu_id = 'GPU-late') AS samples,
            (SELECT count(*) FROM fleet.gpu_xid_events WHERE gpu_id = 'GPU-late') AS events,
            (SELECT (latest ->> 'temperature_c')::float8 FROM fleet.gpus WHERE gpu_id = 'GPU-late') AS celsius`,
  );
  expect(row).toEqual({ samples: 2, events: 0, celsius: 40 });
});

test('XID events before a known reset do not make a GPU critical; later ones do', async () => {
  const event = (minutes: number, code: number) => xidRecord('GPU-reset', minutesAgo(minutes), code);
  await history('GPU-reset', [
    [40, { xid_last_code: 79 }],
    [30, { xid_last_code: 0 }],
    [1, { xid_last_code: 0 }],
  ]);
  expect(await healthOf('GPU-reset')).toBe('healthy');
  await importBatches(database.importerUrl, [[event(35, 48)]]);
  expect(await healthOf('GPU-reset')).toBe('healthy');
  await importBatches(database.importerUrl, [[event(20, 48)]]);
  expect(await healthOf('GPU-reset')).toBe('critical');
});

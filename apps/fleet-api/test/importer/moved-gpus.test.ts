import { createFleetDatabase, useFleetDatabase } from '../support/fleet-database.ts';
import { fleetTables, rowsOf } from '../support/fleet-tables.ts';
import { importBatches } from '../support/import-records.ts';
import { gpuDayRecord, gpuRecord, minutesAgo, sampleRecord, xidRecord } from '../support/records.ts';

const NOW = Date.now();
const ago = (minutes: number) => minutesAgo(minutes, NOW);

const owner = (workspace: number, key: number) => ({ workspace_id: workspace, api_key_id: key });

/** A GPU of one workspace, key and host, which moves to others between its readings. */
const before = (customer_id = 1) => [
  gpuRecord('GPU-1', { customer_id, at: ago(60), ...owner(10, 100), hostname: 'old-host' }),
  sampleRecord('GPU-1', ago(50), { customer_id, utilization_pct: 90 }),
  xidRecord('GPU-1', ago(45), 79, { customer_id, raise_alert: true }),
  { kind: 'gpu_process', customer_id, gpu_id: 'GPU-1', at: ago(44), pid: 7, started_at: ago(100) },
];
const after = (customer_id = 1) => [
  gpuRecord('GPU-1', { customer_id, at: ago(40), ...owner(20, 200), hostname: 'new-host' }),
  sampleRecord('GPU-1', ago(30), { customer_id, utilization_pct: 10 }),
  xidRecord('GPU-1', ago(25), 48, { customer_id, raise_alert: true }),
  { kind: 'gpu_process', customer_id, gpu_id: 'GPU-1', at: ago(24), pid: 8, started_at: ago(30) },
];

const database = useFleetDatabase();

/** Returns the tables without the batches of their rows and without counts of zero, which remain after a move. */
async function tablesAfter(batches: object[][]): Promise<Record<string, string[]>> {
  const fleet = await createFleetDatabase();
  try {
    await importBatches(fleet.importerUrl, batches);
    const { data_versions: _versions, ...tables } = await fleetTables(fleet.administratorUrl, {
      importClock: false,
    });
    return Object.fromEntries(
      Object.entries(tables).map(([name, rows]) => [
        name,
        rows
          .filter((row) => !row.includes('"n": 0'))
          .map((row) => row.replaceAll(/"(seq|state_seq)": \d+/g, '"$1": 0'))
          .sort(),
      ]),
    );
  } finally {
    await fleet.drop();
  }
}

it('stores the same rows in one batch as in two', async () => {
  expect(await tablesAfter([[...before(), ...after()]])).toEqual(await tablesAfter([before(), after()]));
});

it('leaves readings and alerts with the owner and host that the GPU had at their time', async () => {
  await importBatches(database.importerUrl, [[...before(), ...after()]]);
  const url = database.administratorUrl;
  expect(
    await rowsOf(
      url,
      'SELECT workspace_id, hostname FROM fleet.alerts WHERE customer_id = 1 ORDER BY created_at',
    ),
  ).toEqual([
    { workspace_id: 10, hostname: 'old-host' },
    { workspace_id: 20, hostname: 'new-host' },
  ]);
  expect(
    await rowsOf(
      url,
      `SELECT api_key_id, sum(gpu_utilization_sum) / sum(gpu_utilization_n) / 10000 AS mean FROM fleet.metric_days
       WHERE customer_id = 1 AND scope_kind = 2 AND gpu_utilization_n > 0 GROUP BY api_key_id ORDER BY api_key_id`,
    ),
  ).toEqual([
    { api_key_id: 100, mean: 90 },
    { api_key_id: 200, mean: 10 },
  ]);
});

it('counts a day as a duplicate after samples of that day in the same batch', async () => {
  const day = ago(50).slice(0, 10);
  const counts = await importBatches(database.importerUrl, [
    [...before(2), gpuDayRecord('GPU-1', day, { customer_id: 2 })],
  ]);
  expect(counts).toMatchObject({ written: 4, duplicate: 1, rejected: 0 });
});

it('accepts a sample before the first record of its GPU in the same batch', async () => {
  const [gpu, ...readings] = before(3);
  expect(await importBatches(database.importerUrl, [[...readings, gpu as object]])).toMatchObject({
    written: 4,
    rejected: 0,
  });
});

import { useFleetDatabase } from '../support/fleet-database.ts';
import { rowsOf } from '../support/fleet-tables.ts';
import { importBatches } from '../support/import-records.ts';
import { alertRecord, gpuRecord, sampleRecord, uuid } from '../support/records.ts';
import pg from 'pg';

const database = useFleetDatabase();

const MINUTE = 60_000;
const NOW = Date.now();
const at = (minutes: number) => new Date(NOW - minutes * MINUTE).toISOString();

test('concurrent imports of one customer keep rollups exact, and number batches in commit order', async () => {
  const IMPORTERS = 4;
  const BATCHES = 8;
  await importBatches(database.importerUrl, [
    [gpuRecord('GPU-1', { at: at(500) }), gpuRecord('GPU-2', { at: at(500) })],
  ]);

  const seen: { seq: number; alerts: number }[] = [];
  const watch = new pg.Client({ connectionString: database.apiUrl });
  await watch.connect();
  let watching = true;
  const watcher = (async () => {
    while (watching) {
      const { rows } = await watch.query<{ seq: string; alerts: string }>(
        `SELECT (SELECT seq FROM fleet.data_versions WHERE customer_id = 1) AS seq,
                (SELECT count(*) FROM fleet.alerts WHERE customer_id = 1) AS alerts`,
      );
      seen.push({ seq: Number(rows[0]?.seq), alerts: Number(rows[0]?.alerts) });
    }
  })();

  const results = await Promise.all(
    Array.from({ length: IMPORTERS }, (_unused, importer) =>
      importBatches(
        database.importerUrl,
        Array.from({ length: BATCHES }, (_none, batch) => {
          const n = importer * BATCHES + batch;
          return [
            alertRecord(n),
            // Each importer sends the same samples of GPU-1, and its own of GPU-2.
            sampleRecord('GPU-1', at(batch), { utilization_pct: 10 }),
            sampleRecord('GPU-2', at(n), { utilization_pct: n, xid_last_code: 0 }),
          ];
        }),
      ),
    ),
  );
  watching = false;
  await watcher;
  await watch.end();

  const total = (key: 'written' | 'duplicate' | 'rejected') =>
    results.reduce((sum, result) => sum + result[key], 0);
  expect([total('written'), total('duplicate'), total('rejected')]).toEqual([
    2 * IMPORTERS * BATCHES + BATCHES,
    (IMPORTERS - 1) * BATCHES,
    0,
  ]);
  const seqs = await rowsOf<{ seq: number }>(
    database.administratorUrl,
    'SELECT DISTINCT seq FROM fleet.alerts WHERE customer_id = 1 ORDER BY seq',
  );
  expect(seqs.map(({ seq }) => seq)).toEqual(
    Array.from({ length: IMPORTERS * BATCHES }, (_unused, n) => n + 2),
  );
  // Each batch has one alert, so a reader of a sequence number sees all alerts up to it.
  for (const { seq, alerts } of seen) expect(alerts).toBe(seq - 1);
  const [rollup] = await rowsOf<{ counted: number; alerts: number; busy: number; samples: number }>(
    database.administratorUrl,
    `SELECT (SELECT sum(n) FROM fleet.alert_counts WHERE scope_kind = 0 AND grain = 2) AS counted,
            (SELECT count(*) FROM fleet.alerts) AS alerts,
            (SELECT sum(s) FROM fleet.gpu_days, unnest(utilization_sum) AS s) AS busy,
            (SELECT sum(s) FROM fleet.gpu_days, unnest(samples) AS s) AS samples`,
  );
  const n = IMPORTERS * BATCHES;
  expect({ ...rollup, counted: Number(rollup?.counted) }).toEqual({
    counted: n,
    alerts: n,
    busy: BATCHES * 10 + (n * (n - 1)) / 2,
    samples: BATCHES + n,
  });
});

test('concurrent importers create partitions while a reader holds a transaction', async () => {
  const reader = new pg.Client({ connectionString: database.apiUrl });
  await reader.connect();
  await reader.query('BEGIN');
  await reader.query('SELECT count(*) FROM fleet.alerts');
  await reader.query('SELECT count(*) FROM fleet.gpu_samples');
  // The reader keeps its locks while partitions are created: neither waits for the other.
  const months = Array.from({ length: 12 }, (_unused, month) => at(1 + month * 30 * 24 * 60));
  const results = await Promise.all(
    [1, 2, 3].map((importer) =>
      importBatches(database.importerUrl, [
        [gpuRecord('GPU-1', { customer_id: 10 + importer, at: months.at(-1) })],
        ...months.map((created_at, month) => [
          alertRecord(month, { customer_id: 10 + importer, created_at }),
          { ...sampleRecord('GPU-1', created_at), customer_id: 10 + importer },
        ]),
      ]),
    ),
  );
  expect(results.map(({ written, rejected }) => [written, rejected])).toEqual([1, 2, 3].map(() => [25, 0]));
  const { rows } = await reader.query('SELECT id FROM fleet.alerts WHERE customer_id = 11 AND id = $1', [
    uuid(3),
  ]);
  expect(rows).toHaveLength(1);
  await reader.query('COMMIT');
  await reader.end();
});

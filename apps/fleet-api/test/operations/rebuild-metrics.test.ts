import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { OwnerDatabase } from '@gpu-observatory/service-runtime/process';
import fc from 'fast-check';
import { DAY_MS } from '@gpu-observatory/domain-types';
import { MEANS } from '../../src/model/metrics/measures.ts';
import {
  NOT_REBUILT,
  type RebuiltMetrics,
  rebuildMetrics,
} from '../../src/operations/metrics/rebuild-metrics.ts';
import { useFleetDatabase } from '../support/fleet-database.ts';
import { fleetTables, rowsOf } from '../support/fleet-tables.ts';
import { importRecords } from '../support/import-records.ts';
import { FLEET_DAYS, fleetArbitrary } from '../support/random-fleets.ts';
import { alertRecord, gpuRecord, sampleRecord } from '../support/records.ts';

const START_MS = Math.floor(Date.now() / DAY_MS) * DAY_MS - FLEET_DAYS * DAY_MS;
const SEED = Date.now() % 1_000_000;
/** Means of host metrics, which cannot be rebuilt: the rollups are their only source. */
const HOST_MEANS = ['cpu_load', 'cpu_utilization', 'fork_rate', 'exit_rate'];
const REBUILT = [
  ...MEANS.filter((mean) => mean !== 'thermal_slope' && !HOST_MEANS.includes(mean)).flatMap((mean) => [
    `${mean}_sum`,
    `${mean}_n`,
  ]),
  'xid_errors',
  ...['critical', 'high', 'medium', 'low', 'info'].map((severity) => `alerts_${severity}`),
];
const NOTHING = {
  alerts: 0,
  readings: 0,
  xid_errors: 0,
  workspaces: 0,
  entity_counts: 0,
  alert_counts: 0,
  gpu_day_sums: 0,
};

const database = useFleetDatabase();

async function rebuild(customer: number | null = null, dryRun = false): Promise<RebuiltMetrics[]> {
  const owner = new OwnerDatabase(database.ownerUrl, { schema: 'fleet', lockTimeoutSeconds: 5 });
  try {
    return await rebuildMetrics(await owner.open(), customer, { dryRun });
  } finally {
    await owner.close();
  }
}

const query = <Row extends object>(text: string) => rowsOf<Row>(database.ownerUrl, text);
const rebuiltDays = () =>
  query(`SELECT customer_id, scope_kind, api_key_id, workspace_id, day, ${REBUILT.join(', ')} FROM fleet.metric_days
    WHERE ${REBUILT.map((column) => `${column} <> 0`).join(' OR ')} ORDER BY 1, 2, 3, 4, 5`);
const gpuCounts = () =>
  query('SELECT * FROM fleet.entity_counts WHERE kind = 0 AND n <> 0 ORDER BY 1, 2, 3, 4, 5, 6, 7, 8');

const alertCounts = () =>
  query('SELECT * FROM fleet.alert_counts WHERE n <> 0 ORDER BY 1, 2, 3, 4, 5, 6, 7, 8, 9');
const daySums = () => query('SELECT * FROM fleet.gpu_day_sums ORDER BY customer_id, gpu_id, day');
const everything = async () => [await rebuiltDays(), await gpuCounts(), await alertCounts(), await daySums()];

/** Deletes rollups, counts and metric states. */
async function deleteMetrics(customers = 'true'): Promise<void> {
  const rollups = ['metric_days', 'entity_counts', 'entities', 'host_days', 'host_samples'];
  for (const table of [...rollups, 'alert_counts', 'gpu_day_sums'])
    await query(`DELETE FROM fleet.${table} WHERE ${customers}`);
  await query(`UPDATE fleet.gpus SET metric_state = '{}', crash_chain_at = NULL WHERE ${customers}`);
}

test(`leaves correct rows of any fleet unchanged, and restores deleted ones (seed ${SEED})`, async () => {
  const fleets = fc.sample(fleetArbitrary(1, START_MS), { numRuns: 6, seed: SEED });
  for (const [n, records] of fleets.entries())
    await importRecords(
      database.importerUrl,
      records.map((record) => ({
        ...record,
        customer_id: record.customer_id + 2 * n,
        ...(record.kind === 'alert' ? { id: (record['id'] as string).replace(/^0{8}/, `0000000${n}`) } : {}),
      })),
    );
  const tables = await fleetTables(database.administratorUrl);
  const untouched = await rebuild();
  expect(untouched.map(({ customer_id: _id, ...changes }) => changes)).toEqual(untouched.map(() => NOTHING));
  expect(await fleetTables(database.administratorUrl)).toEqual(tables);

  const before = await everything();
  expect(before.map(({ length }) => length)).not.toContain(0);
  await deleteMetrics();
  const planned = await rebuild(null, true);
  expect(await query('SELECT FROM fleet.metric_days')).toEqual([]);
  expect(await rebuild()).toEqual(planned);
  expect(await everything()).toEqual(before);
  // Workspaces are restored from alerts.
  expect(
    await query(`SELECT FROM (SELECT customer_id, workspace_id::text, min(created_at), max(created_at) FROM fleet.alerts
       WHERE workspace_id IS NOT NULL GROUP BY 1, 2
       EXCEPT SELECT customer_id, entity_id, first_seen, last_seen FROM fleet.entities WHERE kind = 'workspace') AS missing`),
  ).toEqual([]);

  const rebuilt = await fleetTables(database.administratorUrl);
  expect((await rebuild()).map(({ customer_id: _id, ...changes }) => changes)).toEqual(
    untouched.map(() => NOTHING),
  );
  expect(await fleetTables(database.administratorUrl)).toEqual(rebuilt);
});

describe('a small fleet', () => {
  /** Noon three days ago. */
  const at = new Date(Math.floor(Date.now() / DAY_MS - 3) * DAY_MS + DAY_MS / 2).toISOString();
  const importFleets = (...customers: number[]) =>
    importRecords(
      database.importerUrl,
      customers.flatMap((customer_id) => [
        gpuRecord('GPU-1', { customer_id, at }),
        sampleRecord('GPU-1', at, { customer_id, utilization_pct: 40, fan_pct: 10 }),
        alertRecord(customer_id, { customer_id, created_at: at }),
      ]),
    );

  it('is rebuilt when a day lacks readings; imports continue from the result', async () => {
    const customer_id = 101;
    await importFleets(customer_id);
    await query(
      `UPDATE fleet.metric_days SET gpu_utilization_sum = 1, gpu_utilization_n = 2 WHERE customer_id = ${customer_id}`,
    );
    expect(await rebuild(customer_id)).toEqual([{ customer_id, ...NOTHING, readings: 2 }]);
    const later = new Date(Date.parse(at) + 1_000).toISOString();
    await importRecords(database.importerUrl, [
      sampleRecord('GPU-1', later, { customer_id, utilization_pct: 60 }),
    ]);
    expect(
      await query(
        `SELECT gpu_utilization_sum AS sum, gpu_utilization_n AS n FROM fleet.metric_days
         WHERE customer_id = ${customer_id} AND day = date_trunc('day', '${at}'::timestamptz, 'UTC')`,
      ),
    ).toEqual([
      { sum: 1_000_000, n: 2 },
      { sum: 1_000_000, n: 2 },
    ]);
    expect(await rebuild(customer_id)).toEqual([{ customer_id, ...NOTHING }]);
  });

  it('loses counts that no alert has', async () => {
    const customer_id = 105;
    await importFleets(customer_id);
    await query(`UPDATE fleet.alert_counts SET n = n + 1 WHERE customer_id = ${customer_id} AND grain = 0`);
    await query(`INSERT INTO fleet.alert_counts (customer_id, scope_kind, scope_id, grain, bucket, severity, state, type, workspace_id, n)
      VALUES (${customer_id}, 1, 7, 2, '${at}', 0, 0, 'gpu_usage', 0, 3)`);
    const wrong = await query(
      `SELECT FROM fleet.alert_counts WHERE customer_id = ${customer_id} AND grain = 0`,
    );
    expect(await rebuild(customer_id)).toEqual([{ customer_id, ...NOTHING, alert_counts: wrong.length + 1 }]);
    expect(await rebuild(customer_id)).toEqual([{ customer_id, ...NOTHING }]);
  });

  it('is rebuilt for one customer, whose data version is incremented', async () => {
    await importFleets(102, 103);
    await deleteMetrics('customer_id IN (102, 103)');
    const versions = () =>
      query<{ seq: number }>(
        'SELECT customer_id, seq FROM fleet.data_versions WHERE customer_id IN (102, 103) ORDER BY 1',
      );
    const [one, other] = await versions();
    await rebuild(103);
    expect(await versions()).toEqual([one, { ...other, seq: (other as { seq: number }).seq + 1 }]);
    expect(
      await query('SELECT DISTINCT customer_id FROM fleet.metric_days WHERE customer_id IN (102, 103)'),
    ).toEqual([{ customer_id: 103 }]);
    await expect(rebuild(999)).rejects.toThrow('customer 999 has no fleet data');
  });

  it('is rebuilt by a command that prints what it changed and what it cannot rebuild', async () => {
    await importFleets(104);
    await deleteMetrics('customer_id = 104');
    const run = (...args: string[]) =>
      spawnSync(
        process.execPath,
        [fileURLToPath(new URL('../../dist/src/cli.js', import.meta.url)), 'metrics', 'rebuild', ...args],
        { env: { PATH: process.env['PATH'], OWNER_DATABASE_URL: database.ownerUrl }, encoding: 'utf8' },
      );
    const { stdout } = run('--customer', '104', '--dry-run', '--json');
    const changes = {
      ...NOTHING,
      alerts: 2,
      readings: 2,
      workspaces: 1,
      entity_counts: 20,
      alert_counts: 17,
      gpu_day_sums: 1,
    };
    expect(JSON.parse(stdout)).toEqual({
      dry_run: true,
      customers: [{ customer_id: 104, ...changes }],
      unchanged: NOT_REBUILT,
    });
    const done = run();
    expect([done.status, done.stderr]).toEqual([0, '']);
    expect(done.stdout.split('\n')).toContain(
      'customer 104: changed 2 rows of alerts, 2 rows of readings, 0 rows of xid_errors, 1 rows of workspaces, 20 rows of entity_counts, 17 rows of alert_counts, 1 rows of gpu_day_sums',
    );
  });
});

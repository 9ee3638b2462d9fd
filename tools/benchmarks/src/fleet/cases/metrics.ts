import { DAY_MS } from '@gpu-observatory/domain-types';
import type { DataSet } from '../data-set/data-set.ts';
import type { Target } from '../../target.ts';
import { type Bench, bestLoads, check, expectedResponse, requestLoad, warmUp } from '../bench.ts';
import type { Load } from '../load/load.ts';
import { type Comparison, compare, databaseTime } from '../../comparison.ts';

const WINDOW_DAYS = 90;
/** Days whose rows the reference aggregates. Those of all 90 days take a minute. */
const AGGREGATED_DAYS = 9;

interface Metrics {
  metrics: {
    alerts_by_severity: { value: number }[];
    metrics_summary: { gpu_count: number; avg_gpu_utilization: number | null };
  };
}

/** Compares the database time of fleet metrics over 90 days with the same aggregates over the rows of a tenth of the days. */
export async function fleetMetrics(bench: Bench): Promise<Comparison[]> {
  const { from, to } = windowOf(bench.set, WINDOW_DAYS);
  const path = metricsPath(bench.set);
  const { metrics } = await bench.fleetApi.json<Metrics>(path);
  const alerts = await bench.fleetApi.json<{ total_size: number }>(
    `/api/v1/alerts/?page_size=1&from=${from}&to=${to}`,
  );
  const counted = metrics.alerts_by_severity.reduce((all, { value }) => all + value, 0);
  check(counted === alerts.total_size && counted > 0, 'metrics add up to the total of the list');
  check(metrics.metrics_summary.gpu_count > 0, 'metrics have a GPU count');
  check(metrics.metrics_summary.avg_gpu_utilization !== null, 'metrics have means');

  const raw = await aggregateTime(bench);
  const time = (caller: Target) => bench.databaseTime.ofRequests(() => caller.json(path), bench.calls);
  const wholeCustomer = await time(bench.fleetApi);
  const workspaces = await time(bench.fleetApiByWorkspaces);
  // Required of data sets with at least 100,000 GPU days.
  const required = bench.set.size.gpus * bench.set.size.days >= 100_000 ? { speed: 100 } : null;
  const operation = `metrics, ${WINDOW_DAYS} days`;
  const expected = expectedResponse((await bench.fleetApi.get(path)).body);
  const load = requestLoad(bench.fleetApi, path, expected);
  // Pages of alerts, which warm up fleet-api, run other code.
  await warmUp(load, bench.seconds);
  const [{ perSecond, latency }] = (await bestLoads(bench, [load])) as [Load];
  return [
    { ...compare(operation, [perSecond, NaN], 'per second', 'absolute', { rate: 1_000 }), latency },
    compare(
      operation,
      [wholeCustomer, raw],
      'ms',
      `same aggregates over the rows of ${AGGREGATED_DAYS} days`,
      required,
    ),
    databaseTime(`${operation}, whole customer`, wholeCustomer, 2),
    databaseTime(`${operation}, five workspaces`, workspaces, 5),
  ];
}

/** Returns the path of the metrics of whole days. */
export function metricsPath(set: DataSet): string {
  const { from, to } = windowOf(set, WINDOW_DAYS);
  return `/api/v1/metrics?from=${from}&to=${to}`;
}

function windowOf({ endMs }: DataSet, days: number): { from: string; to: string } {
  const toMs = Math.ceil(endMs / DAY_MS) * DAY_MS;
  return { from: iso(toMs - days * DAY_MS), to: iso(toMs) };
}

/** Aggregates half-hour sums of GPU days, because a data set has no samples. */
async function aggregateTime({ set, databaseTime }: Bench): Promise<number> {
  const { from, to } = windowOf(set, AGGREGATED_DAYS);
  const within = (column: string) => `customer_id = 1 AND ${column} >= '${from}' AND ${column} < '${to}'`;
  const halfHourSums = ['utilization', 'temperature', 'power'].flatMap((name) => [
    `sum((SELECT sum(h) FROM unnest(${name}_sum) AS h))`,
    `sum((SELECT sum(h) FROM unnest(${name}_n) AS h))`,
  ]);
  const means = ['memory_temperature', 'tensor_active', 'dram_active', 'pcie_tx', 'pcie_rx'];
  const daySums = ['memory_pct', 'fan', 'sm_clock', 'memory_clock', ...means].flatMap((name) => [
    `sum(${name}_sum)`,
    `sum(${name}_n)`,
  ]);
  const statements = [
    `SELECT day, ${[...halfHourSums, ...daySums].join(', ')} FROM fleet.gpu_days WHERE ${within('day')} GROUP BY day`,
    `SELECT date_trunc('day', created_at, 'UTC'), severity, count(*) FROM fleet.alerts WHERE ${within('created_at')} GROUP BY 1, 2`,
    `SELECT type, count(*) FROM fleet.alerts WHERE ${within('created_at')} GROUP BY type ORDER BY 2 DESC LIMIT 3`,
    `SELECT date_trunc('day', at, 'UTC'), count(*) FROM fleet.gpu_xid_events WHERE ${within('at')} GROUP BY 1`,
    `SELECT kind, count(*) FROM fleet.entities WHERE customer_id = 1 AND first_seen < '${to}' AND last_seen >= '${from}' GROUP BY kind`,
  ];
  let total = 0;
  for (const statement of statements) total += await databaseTime.ofStatement(statement);
  return total;
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}

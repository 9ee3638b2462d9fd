import { type Bench, check } from '../bench.ts';
import type { Comparison } from '../comparison.ts';

const DAY_MS = 86_400_000;
const WINDOW_DAYS = 90;

interface Metrics {
  metrics: {
    alerts_by_severity: { value: number }[];
    metrics_summary: { gpu_count: number; avg_gpu_utilization: number | null };
  };
}

/** The fleet over 90 days, in the database, beside the same sums and counts of the rows. */
export async function fleetMetrics(bench: Bench): Promise<Comparison[]> {
  const toMs = Math.ceil(bench.set.endMs / DAY_MS) * DAY_MS;
  const [from, to] = [iso(toMs - WINDOW_DAYS * DAY_MS), iso(toMs)];
  const window = `from=${from}&to=${to}`;
  const path = `/api/v1/metrics?${window}`;
  const { metrics } = await bench.fleetApi.json<Metrics>(path);
  const alerts = await bench.fleetApi.json<{ total_size: number }>(`/api/v1/alerts/?page_size=1&${window}`);
  const counted = metrics.alerts_by_severity.reduce((all, { value }) => all + value, 0);
  check(counted === alerts.total_size && counted > 0, "metrics add up to the list's total");
  check(metrics.metrics_summary.gpu_count > 0, 'metrics count GPUs');
  check(metrics.metrics_summary.avg_gpu_utilization !== null, 'metrics have means');

  const raw = await rawTime(bench, from, to);
  const all = await bench.databaseTime.of(() => bench.fleetApi.json(path), bench.calls);
  const listed = await bench.databaseTime.of(() => bench.fleetApiByWorkspaces.json(path), bench.calls);
  const inDatabase = (of: string, ms: number, limit: number): Comparison => ({
    operation: `metrics, ${WINDOW_DAYS} days, ${of}`,
    against: 'in the database',
    ours: ms,
    theirs: NaN,
    unit: 'ms',
    bar: { kind: 'time', limit },
  });
  return [
    {
      operation: `metrics, ${WINDOW_DAYS} days`,
      against: 'the same sums of the rows',
      ours: all,
      theirs: raw,
      unit: 'ms',
      // A hundred times as fast is due where a hundred thousand rows would have to be read.
      bar: bench.set.size.gpus * bench.set.size.days >= 100_000 ? { kind: 'speed', limit: 100 } : null,
    },
    inDatabase('customer-wide', all, 5),
    inDatabase('five workspaces', listed, 30),
  ];
}

/** What rows there are of it: days of GPUs are sums already, of half hours; there are no samples in a data set. */
async function rawTime({ databaseTime }: Bench, from: string, to: string): Promise<number> {
  const within = (column: string) => `customer_id = 1 AND ${column} >= '${from}' AND ${column} < '${to}'`;
  const ofHalfHours = ['utilization', 'temperature', 'power'].flatMap((name) => [
    `sum((SELECT sum(h) FROM unnest(${name}_sum) AS h))`,
    `sum((SELECT sum(h) FROM unnest(${name}_n) AS h))`,
  ]);
  const ofDays = ['memory_pct', 'fan', 'sm_clock', 'memory_clock'].flatMap((name) => [
    `sum(${name}_sum)`,
    `sum(${name}_n)`,
  ]);
  const statements = [
    `SELECT day, ${[...ofHalfHours, ...ofDays].join(', ')} FROM fleet.gpu_days WHERE ${within('day')} GROUP BY day`,
    `SELECT date_trunc('day', created_at, 'UTC'), severity, count(*) FROM fleet.alerts WHERE ${within('created_at')} GROUP BY 1, 2`,
    `SELECT type, count(*) FROM fleet.alerts WHERE ${within('created_at')} GROUP BY type ORDER BY 2 DESC LIMIT 3`,
    `SELECT date_trunc('day', at, 'UTC'), count(*) FROM fleet.gpu_xid_events WHERE ${within('at')} GROUP BY 1`,
    `SELECT kind, count(*) FROM fleet.entities WHERE customer_id = 1 AND first_seen < '${to}' AND last_seen >= '${from}' GROUP BY kind`,
  ];
  let all = 0;
  for (const statement of statements) all += await databaseTime.ofStatement(statement);
  return all;
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { query, removeEmbeddedDatabase } from '@gpu-observatory/embedded-database';
import { type Comparison, isMet } from '../src/comparison.ts';
import { startDatabaseServer } from '../src/fleet/database-server.ts';
import { CASE_NAMES, measureFleet } from '../src/fleet/benchmark.ts';
import { fleetOptions } from '../src/fleet/options.ts';

const SIZE = { alerts: 3_000, gpus: 20, days: 3 };

test('measures every case on a tiny data set with consistent counts', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'gpu-observatory-bench-'));
  const steps: string[] = [];
  const server = await startDatabaseServer(directory, (step) => steps.push(step));
  try {
    const { url } = await server.dataSet(SIZE);
    const [counts] = await query(
      url,
      `SELECT (SELECT count(*)::integer FROM fleet.alerts) AS alerts,
         (SELECT count(DISTINCT customer_id)::integer FROM fleet.alerts) AS customers,
         (SELECT sum(n)::integer FROM fleet.alert_counts WHERE scope_kind = 0 AND grain = 0) AS months,
         (SELECT sum(n)::integer FROM fleet.alert_counts WHERE scope_kind = 4 AND grain = 2) AS hours,
         (SELECT count(*)::integer FROM fleet.gpu_days) AS days,
         (SELECT count(*)::integer FROM fleet.gpu_days d JOIN fleet.gpu_day_sums s USING (customer_id, gpu_id, day)
          WHERE s.samples = (SELECT sum(n) FROM unnest(d.samples) AS n)
            AND s.utilization_sums[2] = d.utilization_sum[1] + d.utilization_sum[2]
            AND octet_length(s.utilization_series) = s.utilization_series_ends[48]) AS summed,
         (SELECT sum(n)::integer FROM fleet.entity_counts WHERE kind = 0 AND edge = 0 AND grain = 1 AND scope_kind = 0) AS gpus,
         (SELECT sum(alerts_critical + alerts_high + alerts_medium + alerts_low + alerts_info)::integer
          FROM fleet.metric_days WHERE scope_kind = 1) AS days_alerts`,
    );
    expect(counts).toEqual({
      alerts: 3_000,
      customers: 3,
      months: 3_000,
      hours: 3_000,
      days: 60,
      summed: 60,
      gpus: 20,
      days_alerts: 3_000,
    });

    const comparisons: Comparison[] = [];
    const options = {
      size: SIZE,
      seconds: 0.005,
      rounds: 1,
      calls: 1,
      cases: CASE_NAMES,
      log: () => undefined,
    };
    for await (const ofCase of measureFleet(server, options)) comparisons.push(...ofCase);
    // The polls of a short measurement may all be hits, or none.
    const hasFigure = ({ ours, unit }: Comparison) =>
      ['% hits', 'computed'].includes(unit) ? ours >= 0 : ours > 0;
    expect(comparisons.filter((figures) => !hasFigure(figures))).toEqual([]);
    const operations = comparisons.map(({ operation }) => operation.split(',')[0]);
    expect([...new Set(operations)]).toEqual([
      'alerts',
      'summary',
      'trend',
      'detail',
      'timeline',
      'gpus',
      'metrics',
      'token check alone',
      'token check',
      'reads during a flood of searches',
      'reads during large pages',
      'polls during imports of samples',
      'polls during imports of alerts',
      'import',
    ]);
    // The benchmark reuses the data set.
    expect(steps.filter((step) => step === 'fleet_3000_20_3: 3,000 alerts')).toHaveLength(1);
  } finally {
    await server.stop();
    // A server that root starts keeps its files elsewhere.
    await removeEmbeddedDatabase(join(directory, 'database'));
    await rm(directory, { recursive: true });
  }
}, 1_800_000);

const comparison = (more: Partial<Comparison>): Comparison => ({
  operation: 'alerts',
  against: 'ORM baseline',
  ours: 400,
  theirs: 100,
  unit: 'per second',
  required: { speed: 4 },
  ...more,
});

test.each([
  [comparison({}), true],
  [comparison({ required: { speed: 4.1 } }), false],
  [comparison({ required: { cost: 0.25 } }), true],
  [comparison({ ours: 10, theirs: 8, unit: 'ms', required: { cost: 1.2 } }), false],
  [comparison({ ours: 10, theirs: 8, unit: 'ms', required: { cost: 1.3 } }), true],
  [comparison({ ours: 5.1, unit: 'ms', required: { time: 5 } }), false],
  [comparison({ ours: 5_000, theirs: NaN, required: { rate: 5_000 } }), true],
  [comparison({ ours: 4_999, theirs: NaN, required: { rate: 5_000 } }), false],
  [comparison({ ours: 120, theirs: 100, unit: 'MB', required: { cost: 1.25 } }), true],
  [comparison({ ours: 130, theirs: 100, unit: 'MB', required: { cost: 1.25 } }), false],
  [comparison({ required: null }), true],
])('decides whether %j is met', (figures, met) => {
  expect(isMet(figures)).toBe(met);
});

test('parses options and reports invalid ones', () => {
  expect(fleetOptions(['--full', '--only', 'pages,growth'], CASE_NAMES)).toEqual({
    size: { alerts: 10_000_000, gpus: 10_000, days: 90 },
    seconds: 1,
    rounds: 3,
    calls: 40,
    cases: ['pages', 'growth'],
  });
  expect(fleetOptions(['--alerts', '12'], CASE_NAMES)).toMatch(
    '--alerts must be an integer from 3000 to 1000000000, got "12"',
  );
  expect(fleetOptions(['--only', 'exports'], CASE_NAMES)).toMatch(
    'Unknown case "exports" in --only: use pages',
  );
  expect(fleetOptions(['--fast'], CASE_NAMES)).toMatch("Unknown option '--fast'");
});

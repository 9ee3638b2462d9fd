import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeEmbeddedDatabase } from '@gpu-observatory/embedded-database';
import { type Comparison, describeComparisons, isMet } from '../src/fleet/comparison.ts';
import { startDatabaseServer } from '../src/fleet/database-server.ts';
import { CASE_NAMES, measureFleet } from '../src/fleet/fleet.ts';
import { fleetOptions } from '../src/fleet/options.ts';
import { rowsOf } from './rows-of.ts';

const SIZE = { alerts: 3_000, gpus: 20, days: 3 };

test('measures every case on a tiny data set, whose counts are those of its rows', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'gpu-observatory-bench-'));
  const server = await startDatabaseServer(directory, () => undefined);
  try {
    const { url, endMs } = await server.dataSet(SIZE);
    const [counts] = await rowsOf(
      url,
      `SELECT (SELECT count(*)::integer FROM fleet.alerts) AS alerts,
         (SELECT count(DISTINCT customer_id)::integer FROM fleet.alerts) AS customers,
         (SELECT sum(n)::integer FROM fleet.alert_counts WHERE scope_kind = 0 AND grain = 0) AS months,
         (SELECT sum(n)::integer FROM fleet.alert_counts WHERE scope_kind = 4 AND grain = 2) AS hours,
         (SELECT count(*)::integer FROM fleet.gpu_days) AS days,
         (SELECT count(*)::integer FROM fleet.gpu_days d JOIN fleet.gpu_day_sums s USING (customer_id, gpu_id, day)
          WHERE s.samples = (SELECT sum(n) FROM unnest(d.samples) AS n)
            AND s.utilization_sums[2] = d.utilization_sum[1] + d.utilization_sum[2]
            AND octet_length(s.utilization_series) = 48 * 7) AS summed,
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

    const comparisons = await measureFleet(server, {
      size: SIZE,
      seconds: 0.02,
      rounds: 1,
      calls: 1,
      cases: CASE_NAMES,
      tell: () => undefined,
    });
    expect(comparisons.filter(({ ours }) => !(ours > 0))).toEqual([]);
    const operations = comparisons.map(({ operation }) => operation.split(',')[0]);
    expect([...new Set(operations)]).toEqual([
      'alerts',
      'summary',
      'trend',
      'detail',
      'timeline',
      'gpus',
      'metrics',
      'token check',
      'beside a flood of searches',
      'import',
    ]);
    // Kept: the second time it is the same data set.
    expect((await server.dataSet(SIZE)).endMs).toBe(endMs);
  } finally {
    await server.stop();
    // Run by root, its files may lie elsewhere.
    await removeEmbeddedDatabase(join(directory, 'database'));
    await rm(directory, { recursive: true });
  }
});

const comparison = (more: Partial<Comparison>): Comparison => ({
  operation: 'alerts',
  against: 'the usual way',
  ours: 400,
  theirs: 100,
  unit: 'per second',
  bar: { kind: 'speed', limit: 4 },
  ...more,
});

test.each([
  [comparison({}), true],
  [comparison({ bar: { kind: 'speed', limit: 4.1 } }), false],
  [comparison({ bar: { kind: 'cost', limit: 0.25 } }), true],
  [comparison({ ours: 10, theirs: 8, unit: 'ms', bar: { kind: 'cost', limit: 1.2 } }), false],
  [comparison({ ours: 10, theirs: 8, unit: 'ms', bar: { kind: 'cost', limit: 1.3 } }), true],
  [comparison({ ours: 5.1, unit: 'ms', bar: { kind: 'time', limit: 5 } }), false],
  [comparison({ ours: 5_000, theirs: NaN, bar: { kind: 'rate', limit: 5_000 } }), true],
  [comparison({ ours: 4_999, theirs: NaN, bar: { kind: 'rate', limit: 5_000 } }), false],
  [comparison({ ours: 120, theirs: 100, unit: 'MB', bar: { kind: 'cost', limit: 1.25 } }), true],
  [comparison({ ours: 130, theirs: 100, unit: 'MB', bar: { kind: 'cost', limit: 1.25 } }), false],
  [comparison({ bar: null }), true],
])('knows whether %j is met', (one, met) => {
  expect(isMet(one)).toBe(met);
});

test('writes a table', () => {
  expect(
    describeComparisons([
      comparison({}),
      comparison({ operation: 'summary', ours: 6, theirs: NaN, unit: 'ms', bar: { kind: 'time', limit: 5 } }),
      comparison({ operation: 'import', theirs: NaN, bar: { kind: 'rate', limit: 500 } }),
    ]),
  ).toBe(
    [
      'operation  against        ours  theirs      ratio  bar',
      'alerts     the usual way   400     100  /s     4x  >= 4x      met',
      'summary    the usual way     6          ms         <= 5 ms    NOT met',
      'import     the usual way   400          /s         >= 500 /s  NOT met',
    ].join('\n'),
  );
});

test('reads its options, and says what is wrong with them', () => {
  expect(fleetOptions(['--full', '--only', 'pages,growth'], CASE_NAMES)).toEqual({
    size: { alerts: 10_000_000, gpus: 10_000, days: 90 },
    seconds: 2,
    rounds: 3,
    calls: 40,
    cases: ['pages', 'growth'],
  });
  expect(fleetOptions(['--alerts', '12'], CASE_NAMES)).toMatch('--alerts should be a whole number from 1000');
  expect(fleetOptions(['--only', 'exports'], CASE_NAMES)).toMatch('There is no case exports: use pages');
  expect(fleetOptions(['--fast'], CASE_NAMES)).toMatch("Unknown option '--fast'");
});

import { expectSame } from '../expectations.ts';
import { type Rule, rule } from '../rule.ts';
import { type Alert, type Metrics, query, readOk, readSnapshot, SEVERITIES, someAlerts } from './requests.ts';

const DAY_MS = 86_400_000;
/** Window of a request without `from` and `to`. */
const DEFAULT_DAYS = 90;

export const metrics: Rule[] = [
  rule('metrics-by-severity-in-rank-order', 'docs/fleet-api.md#fleet-metrics', async (target) => {
    const { alerts_by_severity } = (await readOk(target, '/metrics')).metrics;
    expectSame(
      alerts_by_severity.map(({ label }) => label.toLowerCase()),
      SEVERITIES,
      'labels',
    );
    return 'five severities, critical first';
  }),
  rule('metrics-top-types-at-most-three', 'docs/fleet-api.md#fleet-metrics', async (target) => {
    const window = query(dayOf((await someAlerts(target))[0]!));
    const [{ metrics }, { summary }] = await readSnapshot(target, [
      `/metrics?${window}`,
      `/alerts:summary?${window}`,
    ]);
    const counts = metrics.top_alert_types.map(({ count }) => count);
    const expected = summary.type.map(({ count }) => count).slice(0, 3);
    expectSame(counts, expected, 'counts of top_alert_types compared with the summary');
    return `${counts.length} types`;
  }),
  rule('metrics-window', 'docs/fleet-api.md#fleet-metrics', async (target) => {
    const day = dayOf((await someAlerts(target))[0]!);
    const [{ metrics: ofDay }, { summary }] = await readSnapshot(target, [
      `/metrics?${query(day)}`,
      `/alerts:summary?${query(day)}`,
    ]);
    const counts = SEVERITIES.map(
      (severity) => summary.severity.find(({ value }) => value === severity)?.count ?? 0,
    );
    expectSame(valuesOf(ofDay), counts, `alerts of ${day.from} compared with the summary`);
    const longAgo = { from: '2001-01-01T00:00:00Z', to: '2001-01-02T00:00:00Z' };
    const { metrics: early } = await readOk(target, `/metrics?${query(longAgo)}`);
    expectSame(valuesOf(early), [0, 0, 0, 0, 0], 'alerts in 2001');
    const now = Date.now();
    const window = { from: iso(now - DEFAULT_DAYS * DAY_MS), to: iso(now) };
    const [{ metrics: byDefault }, { metrics: explicit }] = await readSnapshot(target, [
      '/metrics',
      `/metrics?${query(window)}`,
    ]);
    expectSame(
      byDefault.alerts_by_severity,
      explicit.alerts_by_severity,
      `alerts by default compared with ${DEFAULT_DAYS} days`,
    );
    return `${counts.reduce((sum, count) => sum + count, 0)} alerts on ${day.from.slice(0, 10)}, none in 2001, ${DEFAULT_DAYS} days by default`;
  }),
];

const iso = (timeMs: number) => new Date(timeMs).toISOString();
const valuesOf = (metrics: Metrics) => metrics.alerts_by_severity.map(({ value }) => value);

/** Returns the UTC day of an alert, the grain of the stored metrics. */
function dayOf({ created_at }: Alert): { from: string; to: string } {
  const createdAt = Date.parse(created_at);
  const from = createdAt - (createdAt % DAY_MS);
  return { from: iso(from), to: iso(from + DAY_MS) };
}

import { expectSame, expectThat, Skipped, type Rule } from '../rule.ts';
import type { Target } from '../target.ts';
import { query, readOk, SEVERITIES } from './requests.ts';

const DAY_MS = 86_400_000;

interface Metrics {
  alerts_by_severity: { label: string; value: number; data: { date: string; value: number }[] }[];
  top_alert_types: { icon: string; title: string; count: number }[];
  asset_coverage: { label: string; count: number; data: unknown[] }[];
  metrics_summary: Record<string, unknown>;
  metrics_charts: Record<string, unknown>;
}

export const metrics: Rule<Target>[] = [
  {
    name: 'metrics-by-severity-in-rank-order',
    source: 'docs/fleet-api.md#fleet-metrics',
    async check(target) {
      const { alerts_by_severity } = await metricsOf(target);
      expectSame(
        alerts_by_severity.map(({ label }) => label.toLowerCase()),
        SEVERITIES,
        'labels',
      );
      return 'five severities, critical first';
    },
  },
  {
    name: 'metrics-top-types-at-most-three',
    source: 'docs/fleet-api.md#fleet-metrics',
    async check(target) {
      const { top_alert_types } = await metricsOf(target);
      expectThat(top_alert_types.length <= 3, `${top_alert_types.length} top_alert_types`);
      const counts = top_alert_types.map(({ count }) => count);
      expectSame(
        counts,
        counts.toSorted((a, b) => b - a),
        'counts of top_alert_types',
      );
      return `${counts.length} types`;
    },
  },
  {
    name: 'metrics-window',
    source: 'docs/fleet-api.md#get-metrics',
    async check(target) {
      const to = new Date();
      const lastWeek = query({
        from: new Date(to.getTime() - 7 * DAY_MS).toISOString(),
        to: to.toISOString(),
      });
      const longAgo = query({ from: '2001-01-01T00:00:00Z', to: '2001-01-02T00:00:00Z' });
      const week = await metricsOf(target, `?${lastWeek}`);
      const past = await metricsOf(target, `?${longAgo}`);
      expectSame(
        past.alerts_by_severity.map(({ value }) => value),
        [0, 0, 0, 0, 0],
        'alerts in 2001',
      );
      return `${week.alerts_by_severity.reduce((sum, { value }) => sum + value, 0)} alerts in 7 days, none in 2001`;
    },
  },
];

async function metricsOf(target: Target, parameters = ''): Promise<Metrics> {
  if (!target.operations.some(({ path }) => path === '/api/v1/metrics'))
    throw new Skipped('the document has no /metrics');
  return (await readOk<{ metrics: Metrics }>(target, `/metrics${parameters}`)).metrics;
}

import { expectSame, expectThat, NotSeen, type Rule } from '../rule.ts';
import type { Subject } from '../subject.ts';
import { query, readOk, SEVERITIES } from './fleet-words.ts';

/** The stable keys (contract 2.8). */
const SUMMARY_KEYS = [
  ...['gpu_count', 'avg_gpu_utilization', 'avg_gpu_temperature', 'avg_gpu_power', 'avg_gpu_memory'],
  ...['avg_gpu_fan_speed', 'avg_clock_speed', 'avg_memory_clock'],
  ...['avg_health_score', 'avg_thermal_slope', 'total_ecc_errors', 'total_xid_errors'],
  ...['active_crash_chains', 'total_throttle_events'],
  ...['avg_cpu_load', 'avg_cpu_utilization', 'process_count', 'avg_fork_rate', 'avg_exit_rate'],
  ...['container_count', 'gpu_container_count', 'mps_container_count', 'container_process_count', 'vm_count'],
];

interface Metrics {
  alerts_by_severity: { label: string; value: number; data: { date: string; value: number }[] }[];
  top_alert_types: { icon: string; title: string; count: number }[];
  asset_coverage: { label: string; count: number; data: unknown[] }[];
  metrics_summary: Record<string, unknown>;
  metrics_charts: Record<string, unknown>;
}

export const metrics: Rule<Subject>[] = [
  {
    name: 'metrics-have-their-stable-keys',
    source: 'contract 2.8',
    async hold(subject) {
      const { metrics_summary, metrics_charts } = await metricsOf(subject);
      const missing = SUMMARY_KEYS.filter((key) => !(key in metrics_summary));
      expectThat(missing.length === 0, `metrics_summary lacks ${missing.join(', ')}`);
      expectThat(
        metrics_charts !== null && typeof metrics_charts === 'object',
        'metrics_charts is no object',
      );
      for (const key of SUMMARY_KEYS) {
        const value = metrics_summary[key];
        const mayBeNull = key.startsWith('avg_');
        expectThat(
          typeof value === 'number' || (value === null && mayBeNull),
          `${key} is ${JSON.stringify(value)}`,
        );
      }
      return `${SUMMARY_KEYS.length} keys`;
    },
  },
  {
    name: 'metrics-by-severity-in-rank-order',
    source: 'contract 2.8; decisions 2, Metrics',
    async hold(subject) {
      const { alerts_by_severity } = await metricsOf(subject);
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
    source: 'contract 8',
    async hold(subject) {
      const { top_alert_types } = await metricsOf(subject);
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
    name: 'metrics-of-a-window',
    source: 'contract 4.4',
    async hold(subject) {
      const to = new Date();
      const wide = query({
        from: new Date(to.getTime() - 7 * 86_400_000).toISOString(),
        to: to.toISOString(),
      });
      const none = query({ from: '2001-01-01T00:00:00Z', to: '2001-01-02T00:00:00Z' });
      const week = await metricsOf(subject, `?${wide}`);
      const past = await metricsOf(subject, `?${none}`);
      expectSame(
        past.alerts_by_severity.map(({ value }) => value),
        [0, 0, 0, 0, 0],
        'alerts long ago',
      );
      return `${week.alerts_by_severity.reduce((sum, { value }) => sum + value, 0)} alerts in 7 days, none long ago`;
    },
  },
];

async function metricsOf(subject: Subject, parameters = ''): Promise<Metrics> {
  if (!subject.operations.some(({ path }) => path === '/api/v1/metrics'))
    throw new NotSeen('the document has no /metrics');
  return (await readOk<{ metrics: Metrics }>(subject, `/metrics${parameters}`)).metrics;
}

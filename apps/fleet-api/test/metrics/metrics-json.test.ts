import { DAY_MS } from '@gpu-observatory/domain-types';
import { Series } from '../../src/api/metrics/fleet-metrics.ts';
import { metricsJson } from '../../src/api/metrics/metrics-json.ts';

const FROM_MS = Date.UTC(2026, 0, 31);

const jsonOf = (metrics: object, days: number) =>
  metricsJson(metrics, { fromMs: FROM_MS, toMs: FROM_MS + days * DAY_MS }).toString();

it('writes each series in place, with day labels', () => {
  const metrics = {
    metrics_summary: { avg_gpu_power: null },
    alerts_by_severity: [{ label: 'info', value: 3, data: new Series([1, 2]) }],
    metrics_charts: { avg_gpu_power: new Series([null, 1.5]) },
  };
  expect(JSON.parse(jsonOf(metrics, 2))).toEqual({
    metrics: {
      metrics_summary: { avg_gpu_power: null },
      alerts_by_severity: [
        {
          label: 'info',
          value: 3,
          data: [
            { date: 'Jan 31', value: 1 },
            { date: 'Feb 1', value: 2 },
          ],
        },
      ],
      metrics_charts: {
        avg_gpu_power: [
          { date: 'Jan 31', value: null },
          { date: 'Feb 1', value: 1.5 },
        ],
      },
    },
  });
});

it('writes an empty list for a window without days', () => {
  expect(jsonOf({ metrics_charts: { chart: new Series([]) } }, 0)).toBe(
    '{"metrics":{"metrics_charts":{"chart":[]}}}',
  );
});

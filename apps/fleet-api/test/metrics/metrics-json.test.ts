import { DAY_MS } from '@gpu-observatory/domain-types';
import { Series } from '../../src/api/metrics/fleet-metrics.ts';
import { metricsJson } from '../../src/api/metrics/metrics-json.ts';

const FROM_MS = Date.UTC(2026, 0, 31);

const jsonOf = async (metrics: object, days: number) =>
  (await metricsJson(metrics, { fromMs: FROM_MS, toMs: FROM_MS + days * DAY_MS })).toString();

/** Returns the text of each value in the series of a chart. */
async function textsOf(values: readonly (number | null)[]): Promise<string[]> {
  const json = await jsonOf({ metrics_charts: { chart: new Series(values) } }, values.length);
  expect(() => JSON.parse(json) as unknown).not.toThrow();
  return [...json.matchAll(/"value":([^}]*)\}/g)].map(([, text]) => text as string);
}

it('writes each series in place, with day labels', async () => {
  const metrics = {
    metrics_summary: { avg_gpu_power: null },
    alerts_by_severity: [{ label: 'info', value: 3, data: new Series([1, 2]) }],
    metrics_charts: { avg_gpu_power: new Series([null, 1.5]) },
  };
  expect(JSON.parse(await jsonOf(metrics, 2))).toEqual({
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

it('writes an empty list for a window without days', async () => {
  expect(await jsonOf({ metrics_charts: { chart: new Series([]) } }, 0)).toBe(
    '{"metrics":{"metrics_charts":{"chart":[]}}}',
  );
});

it('writes every number as JSON.stringify does', async () => {
  const values = [
    null,
    0,
    -0,
    1,
    -1,
    9,
    10,
    0.0001,
    -0.0001,
    0.1,
    0.12,
    0.0101,
    99.9999,
    100_000.0001,
    12_345.678_9,
    2 ** 31 - 1,
    2 ** 31,
    2 ** 31 - 0.0001,
    2 ** 31 + 0.5,
    2 ** 53,
    1e21,
    1e-7,
    0.000_01,
    1 / 3,
    0.1 + 0.2,
    Math.PI,
    Infinity,
    NaN,
    -1.234_567_890_123_456_7e-100,
    -1.234_567_890_123_456_7e-6,
    Number.MAX_VALUE,
    Number.MIN_VALUE,
  ];
  for (let n = 0; n < 20_000; n += 1) {
    const magnitude = 10 ** (Math.random() * 12);
    values.push(
      Math.round(Math.random() * magnitude * 10_000) / 10_000,
      Math.round(Math.random() * magnitude),
    );
  }
  expect(await textsOf(values)).toEqual(values.map((value) => JSON.stringify(value)));
});

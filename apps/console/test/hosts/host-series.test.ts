import type { GpuHistory } from '../../src/data/queries.ts';
import { hostSeries } from '../../src/hosts/host-series.ts';

const TIMES = ['2026-11-25T10:00:00.000Z', '2026-11-25T10:05:00.000Z'];

function history(at: string[], utilization: (number | null)[], temperature: (number | null)[]): GpuHistory {
  const none = at.map(() => null);
  return {
    readings: {
      at,
      utilization_pct: utilization,
      temperature_c: temperature,
      power_draw_w: none,
      memory_used_gb: none,
    },
  } as unknown as GpuHistory;
}

it('joins the readings of the GPUs at the same times, without a gap for one that does not report', () => {
  const series = hostSeries([
    history(TIMES, [40, null], [50, null]),
    history(TIMES, [60, 80], [70, 60]),
    history([TIMES[1]!], [null], [90]),
  ]);
  expect(series.map(({ series: { label, values } }) => [label, values])).toEqual([
    ['Utilization, mean of the GPUs', [50, 80]],
    ['Temperature, the hottest GPU', [70, 90]],
  ]);
  expect(series[0]!.times).toEqual(TIMES.map((time) => Date.parse(time) / 1_000));
});

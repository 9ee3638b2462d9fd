import type { Series } from '../charts/time-series.tsx';
import type { GpuHistory } from '../data/queries.ts';

type Key = 'utilization_pct' | 'temperature_c' | 'power_draw_w' | 'memory_used_gb';

const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);
const READINGS: [
  key: Key,
  label: string,
  unit: string,
  join: (values: number[]) => number,
  color?: string,
][] = [
  ['utilization_pct', 'Utilization, mean of the GPUs', '%', (values) => sum(values) / values.length],
  ['temperature_c', 'Temperature, the hottest GPU', '°C', (values) => Math.max(...values), 'degraded'],
  ['power_draw_w', 'Power, sum of the GPUs', 'W', sum],
  ['memory_used_gb', 'Memory used, sum of the GPUs', 'GB', sum],
];

/** A reading of a host over time. */
export interface HostSeries {
  title: string;
  /** Seconds since the epoch. */
  times: number[];
  series: Series;
}

/** Joins the readings of the GPUs of a host at the same times; a time without any reading is a gap. */
export function hostSeries(histories: GpuHistory[]): HostSeries[] {
  const times = [...new Set(histories.flatMap(({ readings }) => readings.at))].sort();
  return READINGS.flatMap(([key, label, unit, join, color]) => {
    const known = new Map<string, number[]>();
    for (const { readings } of histories) {
      readings[key].forEach((value, n) => {
        const at = readings.at[n] as string;
        if (value !== null) known.set(at, [...(known.get(at) ?? []), value]);
      });
    }
    if (known.size === 0) return [];
    const values = times.map((at) => (known.has(at) ? join(known.get(at) as number[]) : null));
    return [
      {
        title: label,
        times: times.map((at) => Date.parse(at) / 1_000),
        series: { label, unit, values, ...(color && { color }) },
      },
    ];
  });
}

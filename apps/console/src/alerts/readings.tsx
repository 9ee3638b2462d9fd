import { useMemo } from 'react';
import { TimeSeries } from '../charts/time-series.tsx';
import type { AlertDetail } from '../data/queries.ts';

type GpuSection = NonNullable<AlertDetail['resource_details']['gpu_details']>;

/** Utilization and temperature of the GPU around the alert. */
export function Readings({ gpu }: { gpu: GpuSection }) {
  const { times, series } = useMemo(() => {
    const charts = [
      { label: 'Utilization', unit: '%', points: gpu.utilization_data, color: 'healthy' },
      { label: 'Temperature', unit: '°C', points: gpu.temperature_chart, color: 'degraded' },
    ].filter(({ points }) => points.length > 1);
    const all = [...new Set(charts.flatMap(({ points }) => points.map(({ time }) => time)))].sort(
      (a, b) => a - b,
    );
    return {
      times: all,
      series: charts.map(({ points, ...chart }) => {
        const values = new Map(points.map(({ time, value }) => [time, value]));
        return { ...chart, values: all.map((time) => values.get(time) ?? null) };
      }),
    };
  }, [gpu]);
  return (
    <TimeSeries times={times} series={series} title="Readings of the GPU around the alert" height={130} />
  );
}

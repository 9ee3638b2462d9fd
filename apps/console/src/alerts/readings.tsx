import { useMemo } from 'react';
import type { Series } from '../charts/time-series.tsx';
import { TitledSeries } from '../charts/titled-series.tsx';
import type { AlertDetail } from '../data/queries.ts';
import styles from './readings.module.css';

type GpuSection = NonNullable<AlertDetail['resource_details']['gpu_details']>;
type Points = GpuSection['utilization_data'];

/** Utilization and temperature of the GPU before the alert, one chart each: their units and times differ. */
export function Readings({ gpu }: { gpu: GpuSection }) {
  return (
    <div className={styles.readings}>
      <Reading label="Utilization" unit="%" points={gpu.utilization_data} />
      <Reading label="Temperature" unit="°C" points={gpu.temperature_chart} color="degraded" />
    </div>
  );
}

function Reading({ points, label, unit, color }: Omit<Series, 'values'> & { points: Points }) {
  const { times, series } = useMemo(
    () => ({
      times: points.map(({ time }) => time),
      series: [{ label, unit, values: points.map(({ value }) => value), ...(color && { color }) }] satisfies [
        Series,
      ] as [Series],
    }),
    [points, label, unit, color],
  );
  if (points.length < 2) return null;
  return (
    <TitledSeries times={times} series={series} title={`${label} of the GPU before the alert`} height={96} />
  );
}

import { useMemo } from 'react';
import { type Series, TimeSeries } from '../charts/time-series.tsx';
import type { AlertDetail } from '../data/queries.ts';
import styles from './readings.module.css';

type GpuSection = NonNullable<AlertDetail['resource_details']['gpu_details']>;
type Points = GpuSection['utilization_data'];

const PERCENT: [number, number] = [0, 100];

/** Utilization and temperature of the GPU before the alert, one chart each: their units and times differ. */
export function Readings({ gpu }: { gpu: GpuSection }) {
  return (
    <div className={styles.readings}>
      <Reading label="Utilization" unit="%" points={gpu.utilization_data} range={PERCENT} />
      <Reading label="Temperature" unit="°C" points={gpu.temperature_chart} color="degraded" />
    </div>
  );
}

interface ReadingProps extends Omit<Series, 'values'> {
  points: Points;
  range?: [number, number];
}

function Reading({ label, unit, color, points, range }: ReadingProps) {
  const { times, series } = useMemo(
    () => ({
      times: points.map(({ time }) => time),
      series: [{ label, unit, values: points.map(({ value }) => value), ...(color && { color }) }],
    }),
    [points, label, unit, color],
  );
  if (points.length < 2) return null;
  return (
    <div>
      <h3>
        {label}, {unit}
      </h3>
      <TimeSeries
        times={times}
        series={series}
        title={`${label} of the GPU before the alert`}
        height={96}
        {...(range && { range })}
      />
    </div>
  );
}

import { useMemo } from 'react';
import { DAY_MS } from '../data/durations.ts';
import { TimeSeries } from '../charts/time-series.tsx';
import { formatMeasure } from '../data/format.ts';
import type { Aggregate } from './measures.ts';
import styles from './metrics.module.css';

interface DayChartProps {
  label: string;
  unit: string;
  aggregate: Aggregate;
  /** The value of the whole window. */
  summary: number | null;
  /** One point a day from the first day of the window on; the last one is today, which is incomplete. */
  points: { value: number | null }[];
  fromMs: number;
}

/** A measure per day. Today is shown as a number: as a point, an incomplete day would look like a drop. */
export function DayChart({ label, unit, aggregate, summary, points, fromMs }: DayChartProps) {
  const today = points.at(-1)?.value ?? null;
  const { times, series } = useMemo(() => {
    const days = points.slice(0, -1);
    return {
      // The labels of the API carry no year.
      times: days.map((_point, n) => (fromMs + n * DAY_MS) / 1_000),
      series: [{ label, unit, values: days.map(({ value }) => value) }],
    };
  }, [points, fromMs, label, unit]);
  return (
    <div className={styles.chart}>
      <h3>{label}</h3>
      <p>
        <strong>{formatMeasure(summary, unit)}</strong> {aggregate}
        <span className={styles.today}>
          {today === null ? 'no data' : formatMeasure(today, unit)} today so far
        </span>
      </p>
      <TimeSeries times={times} series={series} title={`${label} per day`} height={110} dates />
    </div>
  );
}

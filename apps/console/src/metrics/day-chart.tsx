import { useMemo } from 'react';
import { DAY_MS } from '../data/durations.ts';
import { type Series, TimeSeries } from '../charts/time-series.tsx';
import { formatMeasure } from '../data/format.ts';
import { Change } from '../parts/compare.tsx';
import type { Aggregate } from './measures.ts';
import styles from './metrics.module.css';

interface Days {
  /** The value of the whole window. */
  summary: number | null;
  /** One point a day; fewer than the days of the window where the retention is shorter. */
  points: { value: number | null }[];
}

interface DayChartProps extends Days {
  label: string;
  unit: string;
  aggregate: Aggregate;
  /** The period before; undefined without a comparison. */
  before: Days | undefined;
  /** End of the last day, in ms since the epoch. */
  endMs: number;
  /** Whether the last day is today, which is incomplete. */
  hasToday: boolean;
}

/** A measure per day. Today is shown as a number: as a point, an incomplete day would look like a drop. */
export function DayChart(props: DayChartProps) {
  const { label, unit, aggregate, summary, points, before, endMs, hasToday } = props;
  const today = points.at(-1)?.value ?? null;
  const { times, series } = useMemo(() => {
    // The labels of the API carry no year.
    const firstMs = endMs - points.length * DAY_MS;
    const days = hasToday ? points.slice(0, -1) : points;
    const lines: Series[] = [{ label, unit, values: days.map(({ value }) => value) }];
    if (before) {
      const offset = before.points.length - days.length;
      const values = days.map((_day, n) => before.points[n + offset]?.value ?? null);
      lines.push({ label: 'Before', unit, values, color: 'quiet', isDashed: true });
    }
    return { times: days.map((_day, n) => (firstMs + n * DAY_MS) / 1_000), series: lines };
  }, [points, before, endMs, hasToday, label, unit]);
  return (
    <div className={styles.chart}>
      <h3>{label}</h3>
      <p>
        <strong>{formatMeasure(summary, unit)}</strong> {aggregate}
        {before ? (
          <span className={styles.today}>
            <Change now={summary} before={before.summary} unit={unit} />
          </span>
        ) : hasToday ? (
          <span className={styles.today}>
            {today === null ? 'no data' : formatMeasure(today, unit)} today so far
          </span>
        ) : null}
      </p>
      <TimeSeries times={times} series={series} title={`${label} per day`} height={110} dates />
    </div>
  );
}

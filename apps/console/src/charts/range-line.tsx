import { use } from 'react';
import { formatExact, formatMeasure, NO_DATA } from '../data/format.ts';
import { HiddenTable } from '../parts/hidden-table.tsx';
import { TimeZoneContext } from '../parts/time.tsx';
import { ChartBoundary } from './chart-boundary.tsx';
import styles from './range-line.module.css';

/** Points of a line: it is as wide as a column of a table. */
const POINTS = 48;
const HEIGHT = 28;

interface RangeLineProps {
  /** RFC 3339, at even distances. */
  times: string[];
  /** One value per time; null is a gap. */
  values: (number | null)[];
  unit: string;
  /** Values at the lower and upper edge, the same for lines that are compared. */
  range: [number, number];
  label: string;
}

/** A small line on a fixed scale, so that several can be compared, with the numbers as a table for assistive technology. */
export function RangeLine(props: RangeLineProps) {
  return (
    <ChartBoundary title={props.label}>
      <Line {...props} />
    </ChartBoundary>
  );
}

function Line({ times, values, unit, range: [min, max], label }: RangeLineProps) {
  const zone = use(TimeZoneContext);
  const points = thinned(times, values, POINTS);
  const known = points.flatMap(({ value }) => value ?? []);
  if (known.length === 0) return <small>{NO_DATA}</small>;
  const x = (n: number) => ((n / Math.max(1, points.length - 1)) * 100).toFixed(1);
  const y = (value: number) =>
    (HEIGHT - 1 - ((Math.max(min, Math.min(max, value)) - min) / (max - min)) * (HEIGHT - 2)).toFixed(1);
  const path = points
    .map(({ value }, n) =>
      value === null ? '' : `${(points[n - 1]?.value ?? null) === null ? 'M' : 'L'}${x(n)} ${y(value)}`,
    )
    .join('');
  return (
    <figure className={styles.line}>
      <svg
        viewBox={`0 0 100 ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${label}: ${formatMeasure(Math.min(...known))} to ${formatMeasure(Math.max(...known), unit)}`}
      >
        <path d={path} />
      </svg>
      <HiddenTable
        caption={label}
        columns={['Time', unit]}
        rows={points.map(({ at, value }) => [formatExact(Date.parse(at), zone), value ?? NO_DATA])}
      />
    </figure>
  );
}

/** Returns at most `count` points, each the mean of the values of its part of the times; null for a part without values. */
export function thinned(times: string[], values: (number | null)[], count: number) {
  const size = Math.max(1, Math.ceil(times.length / count));
  return Array.from({ length: Math.ceil(times.length / size) }, (_unused, n) => {
    const known = values.slice(n * size, (n + 1) * size).filter((value) => value !== null);
    const sum = known.reduce((total, value) => total + value, 0);
    return { at: times[n * size] as string, value: known.length === 0 ? null : sum / known.length };
  });
}

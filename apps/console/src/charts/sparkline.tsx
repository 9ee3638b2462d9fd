import { NO_DATA } from '../data/format.ts';
import { HiddenTable } from '../parts/hidden-table.tsx';
import { ChartBoundary } from './chart-boundary.tsx';
import styles from './sparkline.module.css';

interface SparklineProps {
  /** Days with their values; null is a gap. */
  points: { date: string; value: number | null }[];
  label: string;
}

/** A line of daily values, with the numbers as a table for assistive technology. */
export function Sparkline(props: SparklineProps) {
  return (
    <ChartBoundary title={props.label}>
      <Line {...props} />
    </ChartBoundary>
  );
}

function Line({ points, label }: SparklineProps) {
  const values = points.map(({ value }) => value);
  const known = values.filter((value) => value !== null);
  if (known.length < 2) return <span className={styles.none} />;
  const [min, max] = [Math.min(...known), Math.max(...known)];
  const span = max - min || 1;
  const step = 100 / (values.length - 1);
  let isOpen = false;
  const path = values
    .map((value, n) => {
      if (value === null) {
        isOpen = false;
        return '';
      }
      const command = isOpen ? 'L' : 'M';
      isOpen = true;
      return `${command}${(n * step).toFixed(2)} ${(26 - ((value - min) / span) * 24).toFixed(2)}`;
    })
    .join('');
  return (
    <figure className={styles.chart}>
      <svg
        className={styles.line}
        viewBox="0 0 100 28"
        preserveAspectRatio="none"
        role="img"
        aria-label={label}
      >
        <path d={path} />
      </svg>
      <HiddenTable
        caption={label}
        columns={['Day', 'Value']}
        rows={points.map((point) => [point.date, point.value ?? NO_DATA])}
      />
    </figure>
  );
}

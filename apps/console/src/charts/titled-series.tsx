import { type Series, TimeSeries } from './time-series.tsx';
import styles from './time-series.module.css';

/** The y axis of a percentage. */
export const PERCENT: [number, number] = [0, 100];

interface TitledSeriesProps {
  /** Seconds since the epoch, ascending. */
  times: number[];
  /** A list of one, which must stay the same object for as long as the data is the same. */
  series: [Series];
  /** What the numbers are, for the table behind the chart. */
  title: string;
  height: number;
}

/** One reading over time, with its name and unit above. */
export function TitledSeries({ times, series, title, height }: TitledSeriesProps) {
  const [{ label, unit }] = series;
  return (
    <div>
      <h3 className={styles.title}>
        {label}, {unit}
      </h3>
      <TimeSeries
        times={times}
        series={series}
        title={title}
        height={height}
        {...(unit === '%' && { range: PERCENT })}
      />
    </div>
  );
}

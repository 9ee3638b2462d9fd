import { useEffect, useRef } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { formatExact, formatMeasure } from '../data/format.ts';
import { tokenColor, useColorVersion } from '../shell/preferences.ts';
import styles from './time-series.module.css';

export interface Series {
  label: string;
  unit: string;
  /** One value per time; null is a gap. */
  values: (number | null)[];
  /** Color token; default `healthy`. */
  color?: string;
}

interface TimeSeriesProps {
  /** Seconds since the epoch, ascending. */
  times: number[];
  series: Series[];
  title: string;
  height?: number;
  /** Fixed range of the y axis, such as [0, 100] for percent. */
  range?: [number, number];
  /** Whether a point is a whole UTC day. */
  dates?: boolean;
}

/** Line charts over time with gaps, a cursor, and the numbers as a table for assistive technology. */
export function TimeSeries({ times, series, title, height = 160, range, dates = false }: TimeSeriesProps) {
  const container = useRef<HTMLDivElement>(null);
  const colorVersion = useColorVersion();
  useEffect(() => {
    const element = container.current as HTMLDivElement;
    const axis = {
      stroke: tokenColor('quiet'),
      grid: { stroke: tokenColor('faint'), width: 1 },
      ticks: { show: false },
      font: '11px system-ui',
    };
    const plot = new uPlot(
      {
        width: element.clientWidth,
        height,
        legend: { live: true },
        cursor: { y: false },
        scales: range ? { y: { range: () => range } } : {},
        axes: [
          { ...axis, size: 28 },
          { ...axis, size: 44 },
        ],
        series: [
          { value: (_plot, seconds) => (seconds == null ? '' : timeText(seconds * 1_000, dates)) },
          ...series.map(({ label, unit, color = 'healthy' }) => ({
            label,
            stroke: tokenColor(color),
            width: 1.5,
            points: { show: false },
            value: (_plot: uPlot, value: number | null) => formatMeasure(value, unit),
          })),
        ],
      },
      [times, ...series.map(({ values }) => values)] as uPlot.AlignedData,
      element,
    );
    const observer = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height }));
    observer.observe(element);
    return () => {
      observer.disconnect();
      plot.destroy();
    };
  }, [times, series, height, range, dates, colorVersion]);
  return (
    <figure className={styles.chart}>
      <div ref={container} aria-hidden="true" />
      <table className="visually-hidden">
        <caption>{title}</caption>
        <thead>
          <tr>
            <th>Time</th>
            {series.map(({ label, unit }) => (
              <th key={label}>
                {label} {unit}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {times.map((time, n) => (
            <tr key={time}>
              <th>{new Date(time * 1_000).toISOString()}</th>
              {series.map(({ label, values }) => (
                <td key={label}>{values[n] ?? 'no data'}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </figure>
  );
}

function timeText(ms: number, dates: boolean): string {
  return dates ? new Date(ms).toISOString().slice(0, 10) : formatExact(ms, 'local');
}

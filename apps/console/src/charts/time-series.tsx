import { type CSSProperties, use, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import {
  formatDateTime,
  formatExact,
  formatMeasure,
  NO_DATA,
  type TimeZone,
  zoneName,
} from '../data/format.ts';
import { HiddenTable } from '../parts/hidden-table.tsx';
import { TimeZoneContext } from '../parts/time.tsx';
import { tokenColor, useColorVersion } from '../shell/preferences.ts';
import { ChartBoundary } from './chart-boundary.tsx';
import styles from './time-series.module.css';
import uPlot from './uplot.ts';
import { rangeOf, tickLabels, ticksOf } from './y-axis.ts';

export interface Series {
  label: string;
  unit: string;
  /** One value per time; null is a gap. */
  values: (number | null)[];
  /** Color token; default `healthy`. */
  color?: string;
  isDashed?: boolean;
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

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** Width of a digit of the axis font. */
const LABEL_CHARACTER_PX = 6.5;

/** Line charts over time with gaps, a readout under the pointer, and the numbers as a table for assistive technology. */
export function TimeSeries(props: TimeSeriesProps) {
  return (
    <ChartBoundary title={props.title}>
      <Plot {...props} />
    </ChartBoundary>
  );
}

function Plot({ times, series, title, height = 160, range, dates = false }: TimeSeriesProps) {
  const container = useRef<HTMLDivElement>(null);
  const plotted = useRef<uPlot>(undefined);
  const [index, setIndex] = useState<number>();
  const colorVersion = useColorVersion();
  const chosenZone = use(TimeZoneContext);
  const zone = dates ? 'utc' : chosenZone;
  const data = useMemo(
    () => [times, ...series.map(({ values }) => values)] as uPlot.AlignedData,
    [times, series],
  );
  const spanSeconds = (times.at(-1) ?? 0) - (times[0] ?? 0);
  const lines = JSON.stringify(
    series.map(({ label, color = 'healthy', isDashed = false }) => [label, color, isDashed]),
  );
  const currentData = useEffectEvent(() => data);
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
        // Room for half of a time label.
        padding: [6, 22, 0, 0],
        legend: { show: false },
        cursor: { y: false, drag: { x: false, y: false } },
        scales: { y: { range: range ? () => range : (_plot, min, max) => rangeOf(min, max) } },
        axes: [
          {
            ...axis,
            size: 22,
            ...(spanSeconds > TWO_DAYS_SECONDS && { incrs: DAY_STEPS }),
            values: (_plot, ticks) => ticks.map((tick) => tickText(tick * 1_000, zone, spanSeconds)),
          },
          {
            ...axis,
            splits: (_plot, _axis, min, max, step) => ticksOf(min, max, step),
            values: (_plot, ticks) => tickLabels(ticks),
            size: (_plot, labels) =>
              14 + LABEL_CHARACTER_PX * Math.max(4, ...(labels ?? []).map(({ length }) => length)),
          },
        ],
        series: [
          {},
          ...(JSON.parse(lines) as [string, string, boolean][]).map(([label, color, isDashed]) => ({
            label,
            stroke: tokenColor(color),
            width: 1.5,
            ...(isDashed && { dash: [4, 3] }),
            points: { show: false },
          })),
        ],
        hooks: { setCursor: [(self) => setIndex(self.cursor.idx ?? undefined)] },
        tzDate: (seconds) =>
          zone === 'utc' ? uPlot.tzDate(new Date(seconds * 1_000), 'Etc/UTC') : new Date(seconds * 1_000),
      },
      currentData(),
      element,
    );
    const observer = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height }));
    observer.observe(element);
    plotted.current = plot;
    return () => {
      observer.disconnect();
      plot.destroy();
    };
  }, [spanSeconds, lines, height, range, zone, colorVersion]);
  // New readings move the line of a chart that is being read; they do not draw a new one.
  useEffect(() => {
    if (plotted.current?.data !== data) plotted.current?.setData(data);
  }, [data]);
  const pointed = index === undefined ? undefined : times[index];
  return (
    <figure className={styles.chart}>
      <div ref={container} aria-hidden="true" />
      <figcaption aria-hidden="true">
        {pointed === undefined
          ? [
              ...(series.length > 1
                ? series.map(({ label, color = 'healthy' }) => (
                    <Key key={label} label={label} color={color} />
                  ))
                : []),
              <span key="zone" className={styles.zone}>
                {dates ? 'UTC days' : `times in ${zoneName((times.at(-1) ?? 0) * 1_000, zone)}`}
              </span>,
            ]
          : [
              <span key="time">{pointText(pointed * 1_000, zone, dates)}</span>,
              ...series.map(({ label, unit, values, color = 'healthy' }) => (
                <Key key={label} color={color} label={formatMeasure(values[index as number], unit)} />
              )),
            ]}
      </figcaption>
      <HiddenTable
        caption={title}
        columns={[dates ? 'Day, UTC' : 'Time', ...series.map(({ label, unit }) => `${label} ${unit}`)]}
        rows={times.map((time, n) => [
          pointText(time * 1_000, zone, dates),
          ...series.map(({ values }) => values[n] ?? NO_DATA),
        ])}
      />
    </figure>
  );
}

function Key({ label, color }: { label: string; color: string }) {
  return (
    <span className={styles.key} style={{ '--key': `var(--${color})` } as CSSProperties}>
      {label}
    </span>
  );
}

const DAY_SECONDS = 86_400;
const TWO_DAYS_SECONDS = 2 * DAY_SECONDS;
/** Distances of time labels that are dates, in seconds. */
const DAY_STEPS = [1, 2, 3, 7, 14, 30, 60, 90, 365].map((days) => days * DAY_SECONDS);

function tickText(ms: number, zone: TimeZone, spanSeconds: number): string {
  const text = formatDateTime(ms, zone);
  const date = `${MONTHS[Number(text.slice(5, 7)) - 1]} ${Number(text.slice(8, 10))}`;
  return spanSeconds > TWO_DAYS_SECONDS ? date : text.slice(11, 16);
}

function pointText(ms: number, zone: TimeZone, dates: boolean): string {
  return dates ? new Date(ms).toISOString().slice(0, 10) : formatExact(ms, zone);
}

import { type PointerEvent, use, useMemo, useState } from 'react';
import { HOUR_MS, DAY_MS } from '../data/durations.ts';
import { formatCount, formatDateTime, type TimeZone, zoneName } from '../data/format.ts';
import type { Severity, TrendPoint } from '../data/queries.ts';
import { SEVERITIES } from '../data/severities.ts';
import { HiddenTable } from '../parts/hidden-table.tsx';
import { TimeZoneContext } from '../parts/time.tsx';
import { ChartBoundary } from './chart-boundary.tsx';
import styles from './stacked-bars.module.css';

export interface Bucket {
  startMs: number;
  counts: Partial<Record<Severity, number>>;
  total: number;
}

interface StackedBarsProps {
  points: TrendPoint[];
  unit: 'hour' | 'day';
  /** The window that the chart spans, in ms since the epoch; buckets without alerts are drawn empty. */
  fromMs: number;
  toMs: number;
  title: string;
  height?: number;
  /** The period before, of the same length, drawn as a line over the bars. */
  before?: { points: TrendPoint[]; fromMs: number; toMs: number } | undefined;
  /** Whether the last bucket is not over; it is drawn paler. */
  isLastPartial?: boolean;
  /** Called with the range, in ms since the epoch, that was dragged over, or the bucket that was clicked. */
  onRange?: (fromMs: number, toMs: number) => void;
}

/** Alerts per bucket as bars stacked by severity, with the numbers as a table for assistive technology. */
export function StackedBars(props: StackedBarsProps) {
  return (
    <ChartBoundary title={props.title}>
      <Bars {...props} />
    </ChartBoundary>
  );
}

function Bars({
  points,
  unit,
  fromMs,
  toMs,
  title,
  height = 96,
  before,
  isLastPartial = toMs > Date.now(),
  onRange,
}: StackedBarsProps) {
  const buckets = useMemo(() => bucketsOf(points, unit, fromMs, toMs), [points, unit, fromMs, toMs]);
  const totalsBefore = useMemo(() => {
    if (!before) return undefined;
    // The current bucket may have begun in the middle of one of the period before.
    const totals = bucketsOf(before.points, unit, before.fromMs, before.toMs).map(({ total }) => total);
    return buckets.map((_bucket, n) => totals[totals.length - buckets.length + n] ?? 0);
  }, [before, buckets, unit]);
  const peak = Math.max(...buckets.map(({ total }) => total));
  const max = Math.max(1, peak, ...(totalsBefore ?? []));
  const width = 100 / buckets.length;
  const step = unit === 'hour' ? HOUR_MS : DAY_MS;
  const zone = use(TimeZoneContext);
  const [brush, setBrush] = useState<[start: number, end: number]>();
  const indexAt = (event: PointerEvent<SVGSVGElement>) => {
    const { left, width: pixels } = event.currentTarget.getBoundingClientRect();
    const index = Math.floor(((event.clientX - left) / pixels) * buckets.length);
    return Math.max(0, Math.min(buckets.length - 1, index));
  };
  const finish = () => {
    if (!brush) return;
    const [low, high] = [Math.min(...brush), Math.max(...brush)];
    setBrush(undefined);
    onRange?.((buckets[low] as Bucket).startMs, (buckets[high] as Bucket).startMs + step);
  };
  return (
    <figure className={styles.chart}>
      <svg
        viewBox={`0 0 100 ${height}`}
        preserveAspectRatio="none"
        style={{ height }}
        role="img"
        aria-label={`${title}: at most ${formatCount(peak)} per ${unit}`}
        data-brushable={onRange !== undefined}
        onPointerDown={(event) => {
          if (!onRange) return;
          event.currentTarget.setPointerCapture(event.pointerId);
          setBrush([indexAt(event), indexAt(event)]);
        }}
        onPointerMove={(event) => brush && setBrush([brush[0], indexAt(event)])}
        onPointerUp={finish}
        onPointerCancel={() => setBrush(undefined)}
      >
        {brush ? (
          <rect
            className={styles.brush}
            x={Math.min(...brush) * width}
            y={0}
            width={(Math.abs(brush[1] - brush[0]) + 1) * width}
            height={height}
          />
        ) : null}
        {buckets.map((bucket, n) => (
          <g key={bucket.startMs} data-partial={isLastPartial && n === buckets.length - 1}>
            <title>
              {`${labelOf(bucket, unit, zone)}: ${formatCount(bucket.total)} alerts`}
              {totalsBefore ? `, ${formatCount(totalsBefore[n] ?? 0)} in the period before` : ''}
            </title>
            <rect className={styles.hit} x={n * width} y={0} width={width} height={height} />
            {bars(bucket, max, height).map(({ severity, y, size }) => (
              <rect
                key={severity}
                className={styles.bar}
                data-severity={severity}
                x={n * width + width * 0.12}
                y={y}
                width={width * 0.76}
                height={size}
              />
            ))}
          </g>
        ))}
        {totalsBefore ? (
          <path className={styles.before} d={stepLine(totalsBefore, width, max, height)} />
        ) : null}
      </svg>
      <figcaption>
        <span>{labelOf(buckets[0], unit, zone)}</span>
        <span>
          peak {formatCount(peak)} per {unit}
          {totalsBefore ? '; line: the period before' : ''}
        </span>
        <span>
          {labelOf(buckets.at(-1), unit, zone)}
          {isLastPartial ? ', so far' : ''}
        </span>
      </figcaption>
      <HiddenTable
        caption={title}
        columns={['Time', ...SEVERITIES, ...(totalsBefore ? ['all, in the period before'] : [])]}
        rows={buckets.flatMap((bucket, n) =>
          bucket.total === 0 && !totalsBefore?.[n]
            ? []
            : [
                [
                  labelOf(bucket, unit, zone),
                  ...SEVERITIES.map((severity) => bucket.counts[severity] ?? 0),
                  ...(totalsBefore ? [totalsBefore[n] ?? 0] : []),
                ],
              ],
        )}
      />
    </figure>
  );
}

function bucketsOf(points: TrendPoint[], unit: 'hour' | 'day', fromMs: number, toMs: number): Bucket[] {
  const step = unit === 'hour' ? HOUR_MS : DAY_MS;
  const firstMs = Math.floor(fromMs / step) * step;
  const count = Math.max(1, Math.ceil((toMs - firstMs) / step));
  const buckets: Bucket[] = Array.from({ length: count }, (_unused, n) => ({
    startMs: firstMs + n * step,
    counts: {},
    total: 0,
  }));
  for (const { bucket, severity, count: alerts } of points) {
    const target = buckets[Math.floor((Date.parse(bucket) - firstMs) / step)];
    if (!target) continue;
    target.counts[severity] = (target.counts[severity] ?? 0) + alerts;
    target.total += alerts;
  }
  return buckets;
}

/** The most severe part is at the bottom, where lengths compare best. */
function bars({ counts }: Bucket, max: number, height: number) {
  let y = height;
  return SEVERITIES.flatMap((severity) => {
    const count = counts[severity] ?? 0;
    if (count === 0) return [];
    const size = Math.max(1, (count / max) * (height - 2));
    y -= size;
    return [{ severity, y, size }];
  });
}

/** Returns the path of a line with one step per bucket. */
function stepLine(totals: number[], width: number, max: number, height: number): string {
  const steps = totals.map((total, n) => {
    const y = height - (total / max) * (height - 2);
    return `${n === 0 ? 'M' : 'L'}${n * width} ${y}H${(n + 1) * width}`;
  });
  return steps.join('');
}

/** Days are those of UTC, as the API counts them. */
function labelOf(bucket: Bucket | undefined, unit: 'hour' | 'day', zone: TimeZone): string {
  if (!bucket) return '';
  if (unit === 'day') return `${formatDateTime(bucket.startMs, 'utc').slice(0, 10)} UTC`;
  return `${formatDateTime(bucket.startMs, zone).slice(5, 16)} ${zoneName(bucket.startMs, zone)}`;
}

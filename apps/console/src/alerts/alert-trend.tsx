import { useQuery } from '@tanstack/react-query';
import { trendUnit } from '../data/alert-groups.ts';
import { HOUR_MS } from '../data/durations.ts';
import { StackedBars } from '../charts/stacked-bars.tsx';
import { formatCount } from '../data/format.ts';
import { type AlertFilters, type TimeWindow, type TrendPoint, trendQuery } from '../data/queries.ts';
import { isoOf } from '../data/window.ts';
import { Change } from '../parts/compare.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { Skeleton } from '../parts/states.tsx';
import { useServices } from '../session/services.ts';
import styles from './alert-trend.module.css';

const HEIGHT = 56;

interface AlertTrendProps {
  filters: AlertFilters;
  /** The filters with the window of the period before, to compare with. */
  before: AlertFilters | undefined;
  /** Whether the request waits for a more important one. */
  isWaiting: boolean;
  onRange: (range: { from: string; to: string }) => void;
  /** Whether the view already shows an error; this part then shows none. */
  hasError: boolean;
}

/** The matching alerts over time; dragging over the bars selects a time range. */
export function AlertTrend({ filters, before, isWaiting, onRange, hasError }: AlertTrendProps) {
  const services = useServices();
  const query = useQuery({ ...trendQuery(services, filters), enabled: !isWaiting });
  const past = useQuery({
    ...trendQuery(services, before ?? filters),
    enabled: !isWaiting && before !== undefined,
  });
  if (hasError) return <div />;
  const pointsBefore = before === undefined ? undefined : past.data?.points;
  return (
    <Loaded query={query} skeleton={<Skeleton height={`${HEIGHT + 20}px`} />}>
      {({ points }) => (
        <div>
          {before && pointsBefore ? (
            <p className={styles.change}>
              {formatCount(sumOf(points))} in this period,{' '}
              <Change now={sumOf(points)} before={sumOf(pointsBefore)} /> in the period before
            </p>
          ) : null}
          <Trend
            points={points}
            window={filters}
            before={
              before && pointsBefore
                ? { points: pointsBefore, fromMs: msOf(before.from), toMs: msOf(before.to) }
                : undefined
            }
            onRange={onRange}
          />
        </div>
      )}
    </Loaded>
  );
}

interface TrendProps extends Pick<AlertTrendProps, 'onRange'> {
  points: TrendPoint[];
  window: TimeWindow;
  before: { points: TrendPoint[]; fromMs: number; toMs: number } | undefined;
}

function Trend({ points, window, before, onRange }: TrendProps) {
  const first = points[0];
  // Without a start and without alerts, there is no range to draw.
  if (!window.from && !first) return <div />;
  const fromMs = window.from ? msOf(window.from) : first ? msOf(first.bucket) : Date.now() - HOUR_MS;
  const toMs = window.to ? msOf(window.to) : Date.now();
  const unit = trendUnit(fromMs, toMs);
  return (
    <StackedBars
      points={points}
      unit={unit}
      fromMs={fromMs}
      toMs={Math.max(toMs, fromMs + 1)}
      height={HEIGHT}
      before={before}
      isLastPartial={window.to === undefined}
      title="Alerts over time; drag to select a range"
      // Buckets are whole hours or days; those at the edges extend beyond the current range.
      onRange={(beginMs, endMs) =>
        onRange({
          from: isoOf(window.from ? Math.max(beginMs, fromMs) : beginMs),
          to: isoOf(window.to ? Math.min(endMs, toMs) : endMs),
        })
      }
    />
  );
}

function msOf(iso: string | undefined): number {
  return Date.parse(iso ?? '');
}

function sumOf(points: TrendPoint[]): number {
  return points.reduce((sum, { count }) => sum + count, 0);
}

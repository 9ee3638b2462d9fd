import { useQuery } from '@tanstack/react-query';
import { HOUR_MS } from '../data/durations.ts';
import { StackedBars } from '../charts/stacked-bars.tsx';
import { type TrendPoint, trendQuery } from '../data/queries.ts';
import { Loaded } from '../parts/loaded.tsx';
import { Skeleton } from '../parts/states.tsx';
import type { Search } from '../search.ts';
import { useServices } from '../session/services.ts';
import { useScope } from '../shell/scope.ts';
import { alertFilters } from './filters.ts';

const WIDEST_BY_HOUR_MS = 72 * HOUR_MS;
const HEIGHT = 56;

interface AlertTrendProps {
  search: Search;
  /** Whether the request waits for a more important one. */
  isWaiting: boolean;
  onRange: (range: { from: string; to: string }) => void;
  /** Whether the view already shows an error; this part then shows none. */
  hasError: boolean;
}

/** The matching alerts over time; dragging over the bars selects a time range. */
export function AlertTrend({ search, isWaiting, onRange, hasError }: AlertTrendProps) {
  const filters = alertFilters(search, useScope());
  const query = useQuery({ ...trendQuery(useServices(), filters), enabled: !isWaiting });
  if (hasError) return <div />;
  return (
    <Loaded query={query} skeleton={<Skeleton height={`${HEIGHT + 20}px`} />}>
      {({ points }) => <Trend points={points} search={search} onRange={onRange} />}
    </Loaded>
  );
}

interface TrendProps extends Pick<AlertTrendProps, 'search' | 'onRange'> {
  points: TrendPoint[];
}

function Trend({ points, search, onRange }: TrendProps) {
  const first = points[0];
  // Without a start and without alerts, there is no range to draw.
  if (!search.from && !first) return <div />;
  const fromMs = search.from
    ? Date.parse(search.from)
    : first
      ? Date.parse(first.bucket)
      : Date.now() - HOUR_MS;
  const toMs = search.to ? Date.parse(search.to) : Date.now();
  // The API chooses the same unit from the width of the window.
  const unit = toMs - fromMs <= WIDEST_BY_HOUR_MS ? 'hour' : 'day';
  return (
    <StackedBars
      points={points}
      unit={unit}
      fromMs={fromMs}
      toMs={Math.max(toMs, fromMs + 1)}
      height={HEIGHT}
      isLastPartial={search.to === undefined}
      title="Alerts over time; drag to select a range"
      // Buckets are whole hours or days; those at the edges extend beyond the current range.
      onRange={(beginMs, endMs) =>
        onRange({
          from: new Date(search.from ? Math.max(beginMs, fromMs) : beginMs).toISOString(),
          to: new Date(search.to ? Math.min(endMs, toMs) : endMs).toISOString(),
        })
      }
    />
  );
}

import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { StackedBars } from '../charts/stacked-bars.tsx';
import { formatCount } from '../data/format.ts';
import { trendQuery } from '../data/queries.ts';
import { Loaded } from '../parts/loaded.tsx';
import { Panel } from '../parts/panel.tsx';
import { Skeleton } from '../parts/states.tsx';
import { useServices } from '../session/services.ts';
import { useScope } from '../shell/scope.ts';

interface AlertTrendProps {
  title: string;
  unit: 'hour' | 'day';
  window: { fromMs: number; toMs: number };
}

/** Alerts by severity over a window; a bar, or a range dragged over bars, opens its alerts. */
export function AlertTrend({ title, unit, window: { fromMs, toMs } }: AlertTrendProps) {
  const navigate = useNavigate();
  const [from, to] = [new Date(fromMs).toISOString(), new Date(toMs).toISOString()];
  const query = useQuery(trendQuery(useServices(), { ...useScope(), from, to }));
  const total = query.data?.points.reduce((sum, { count }) => sum + count, 0);
  return (
    <Panel
      title={title}
      isLive
      aside={
        total === undefined ? null : (
          <Link to="/alerts" search={{ from }}>
            {formatCount(total)} alerts
          </Link>
        )
      }
    >
      <Loaded query={query} skeleton={<Skeleton height="112px" />}>
        {({ points }) => (
          <StackedBars
            points={points}
            unit={unit}
            fromMs={fromMs}
            toMs={toMs}
            title={title}
            onRange={(beginMs, endMs) =>
              void navigate({
                to: '/alerts',
                search: { from: new Date(beginMs).toISOString(), to: new Date(endMs).toISOString() },
              })
            }
          />
        )}
      </Loaded>
    </Panel>
  );
}

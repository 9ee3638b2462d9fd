import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { alertTypeTitle, formatCount } from '../data/format.ts';
import { summaryQuery } from '../data/queries.ts';
import { Panel } from '../parts/panel.tsx';
import { Empty, ErrorState, Skeleton } from '../parts/states.tsx';
import { useServices } from '../session/services.ts';
import { useScope } from '../shell/scope.ts';
import styles from './overview.module.css';

const MAX_TYPES = 6;

/** The most frequent alert types of a window, each a link to its alerts. */
export function AlertTypes({ title, fromMs }: { title: string; fromMs: number }) {
  const from = new Date(fromMs).toISOString();
  // From the summary: the metrics have titles of types, but not the values that filters take.
  const { data, error, refetch } = useQuery(summaryQuery(useServices(), { ...useScope(), from }));
  const types = data?.summary.type.toSorted((a, b) => b.count - a.count).slice(0, MAX_TYPES) ?? [];
  const max = types[0]?.count ?? 1;
  return (
    <Panel title={title}>
      {error && !data ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <Skeleton lines={MAX_TYPES} />
      ) : types.length === 0 ? (
        <Empty title="No alerts." />
      ) : (
        <ol className={styles.types}>
          {types.map(({ value, count }) => (
            <li key={value}>
              <Link to="/alerts" search={{ type: value, from }}>
                {alertTypeTitle(value)}
              </Link>
              <span className={styles.bar} aria-hidden="true">
                <span style={{ width: `${(count / max) * 100}%` }} />
              </span>
              <strong>{formatCount(count)}</strong>
            </li>
          ))}
        </ol>
      )}
    </Panel>
  );
}

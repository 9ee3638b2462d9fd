import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { alertTypeTitle, formatCount } from '../data/format.ts';
import { summaryQuery } from '../data/queries.ts';
import { Loaded } from '../parts/loaded.tsx';
import { Panel } from '../parts/panel.tsx';
import { Empty, Skeleton } from '../parts/states.tsx';
import { useServices } from '../session/services.ts';
import { useScope } from '../shell/scope.ts';
import styles from './overview.module.css';

const MAX_TYPES = 6;

/** The most frequent alert types of a window, each a link to its alerts. */
export function AlertTypes({ title, fromMs }: { title: string; fromMs: number }) {
  const from = new Date(fromMs).toISOString();
  // From the summary: the metrics have titles of types, but not the values that filters take.
  const query = useQuery(summaryQuery(useServices(), { ...useScope(), from }));
  return (
    <Panel title={title} isLive>
      <Loaded query={query} skeleton={<Skeleton lines={MAX_TYPES} />}>
        {({ summary }) => <Types counts={summary.type} from={from} />}
      </Loaded>
    </Panel>
  );
}

function Types({ counts, from }: { counts: { value: string; count: number }[]; from: string }) {
  const types = counts.toSorted((a, b) => b.count - a.count).slice(0, MAX_TYPES);
  const max = types[0]?.count ?? 1;
  if (types.length === 0) return <Empty title="No alerts." />;
  return (
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
  );
}

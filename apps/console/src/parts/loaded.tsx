import { type ReactNode, use } from 'react';
import { formatClock } from '../data/format.ts';
import { isOutage, OutageContext } from '../data/outage.ts';
import { PulseContext } from '../data/pulse-context.ts';
import { Empty, ErrorState } from './states.tsx';
import styles from './states.module.css';
import { TimeZoneContext } from './time.tsx';

/** The parts of a query's result that decide what is shown of it. */
export interface LoadedQuery<Data> {
  data: Data | undefined;
  error: Error | null;
  errorUpdateCount: number;
  refetch: () => Promise<unknown>;
}

interface LoadedProps<Data> {
  query: LoadedQuery<Data>;
  /** Shown until the first response. */
  skeleton: ReactNode;
  /** Whether it is a whole view, so that a message takes the place of its heading. */
  isPage?: boolean;
  children: (data: Data) => ReactNode;
}

/**
 * The data of a query, its skeleton or its error. Data that is known stays while later requests fail. The message of an
 * outage is that of the shell, because it concerns all parts of a view.
 */
export function Loaded<Data>({ query, skeleton, isPage = false, children }: LoadedProps<Data>) {
  if (query.data !== undefined) return children(query.data);
  if (query.errorUpdateCount === 0) return skeleton;
  if (query.error !== null && !isOutage(query.error)) {
    return <ErrorState isPage={isPage} error={query.error} onRetry={() => void query.refetch()} />;
  }
  return <Empty isPage={isPage} title="Not available at the moment." />;
}

/** The time of the data that is shown while it is not updated; nothing while it is. */
export function StaleNote() {
  const outage = use(OutageContext);
  const { dataAsOf } = use(PulseContext);
  const zone = use(TimeZoneContext);
  if (outage === undefined || dataAsOf === undefined) return null;
  return <span className={styles.stale}>as of {formatClock(Date.parse(dataAsOf), zone)}</span>;
}

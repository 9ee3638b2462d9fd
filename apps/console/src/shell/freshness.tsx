import { use, useSyncExternalStore } from 'react';
import { MINUTE_MS } from '../data/durations.ts';
import { formatClock, formatExact, formatRelative } from '../data/format.ts';
import { PulseContext } from '../data/pulse-context.ts';
import { Time, TimeZoneContext, useNow } from '../parts/time.tsx';
import styles from './shell.module.css';

/** Age of the newest import at which data counts as stale: imports are due every few seconds. */
const STALE_AFTER_MS = 2 * MINUTE_MS;
/** Time since the last confirmation at which the page counts as not updating: several polls. */
const UNCONFIRMED_AFTER_MS = MINUTE_MS;

/** When the service last confirmed that the page is current, or how old its data is if it does not. */
export function Freshness() {
  const { dataAsOf, confirmedAtMs, error } = use(PulseContext);
  const zone = use(TimeZoneContext);
  const nowMs = useNow();
  const isOnline = useOnline();
  const isStale = dataAsOf !== undefined && nowMs - Date.parse(dataAsOf) > STALE_AFTER_MS;
  const isUnconfirmed = confirmedAtMs !== undefined && nowMs - confirmedAtMs > UNCONFIRMED_AFTER_MS;
  const problem = !isOnline ? 'Offline' : error || isUnconfirmed ? 'Not updating' : undefined;
  if (dataAsOf === undefined || confirmedAtMs === undefined) {
    return (
      <span className={styles.freshness} data-stale={problem !== undefined} role="status">
        {problem}
      </span>
    );
  }
  if (problem === undefined && !isStale) {
    return (
      <span className={styles.freshness}>
        updated <Time iso={new Date(confirmedAtMs).toISOString()} />
      </span>
    );
  }
  const ms = Date.parse(dataAsOf);
  const age = nowMs - ms;
  return (
    <span className={styles.freshness} data-stale="true" role="status">
      {problem === undefined ? '' : `${problem}: `}
      <time dateTime={dataAsOf} title={formatExact(ms, zone)}>
        data as of {formatClock(ms, zone)}
        {age < MINUTE_MS ? '' : <span className={styles.long}>, {formatRelative(ms, nowMs)}</span>}
      </time>
    </span>
  );
}

function useOnline(): boolean {
  return useSyncExternalStore(
    (notify) => {
      window.addEventListener('online', notify);
      window.addEventListener('offline', notify);
      return () => {
        window.removeEventListener('online', notify);
        window.removeEventListener('offline', notify);
      };
    },
    () => navigator.onLine,
  );
}

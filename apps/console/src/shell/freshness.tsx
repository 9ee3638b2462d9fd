import { use, useSyncExternalStore } from 'react';
import { MINUTE_MS } from '../data/durations.ts';
import { formatExact, formatRelative } from '../data/format.ts';
import { PulseContext } from '../data/pulse-context.ts';
import { Time, TimeZoneContext, useNow } from '../parts/time.tsx';
import styles from './shell.module.css';

/** Age at which data counts as stale: imports are due every few seconds. */
const STALE_AFTER_MS = 2 * MINUTE_MS;

/** How old the data of the page is, and whether it is still updated. */
export function Freshness() {
  const { dataAsOf, error } = use(PulseContext);
  const zone = use(TimeZoneContext);
  const nowMs = useNow();
  const isOnline = useOnline();
  const isStale = dataAsOf !== undefined && nowMs - Date.parse(dataAsOf) > STALE_AFTER_MS;
  const problem = !isOnline ? 'Offline' : error ? 'Not updating' : undefined;
  if (dataAsOf === undefined) {
    return (
      <span className={styles.freshness} data-stale={problem !== undefined} role="status">
        {problem}
      </span>
    );
  }
  if (problem === undefined && !isStale) {
    return (
      <span className={styles.freshness}>
        updated <Time iso={dataAsOf} />
      </span>
    );
  }
  const ms = Date.parse(dataAsOf);
  const age = nowMs - ms;
  return (
    <span className={styles.freshness} data-stale="true" role="status">
      {problem === undefined ? '' : `${problem}: `}
      <time dateTime={dataAsOf} title={formatExact(ms, zone)}>
        data as of {formatExact(ms, zone).slice(11, 19)}
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

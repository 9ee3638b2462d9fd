import { ConnectionError, ServiceError } from '@gpu-observatory/client';
import { notifyManager, type Query, type QueryClient, useQueryClient } from '@tanstack/react-query';
import { createContext, useCallback, useRef, useSyncExternalStore } from 'react';
import { ALERT_PAGES, LIVE, PULSE } from './queries.ts';

/** What a view knows while requests fail for reasons that no part of it can change. */
export interface Outage {
  /** Undefined while the services respond. */
  error: Error | undefined;
  /** Number of attempts to repeat the failed requests. */
  attempts: number;
}

export const OutageContext = createContext<Outage>({ error: undefined, attempts: 0 });

/** Whether a service is unreachable, overloaded or broken, as opposed to a request that it rejects. */
export function isOutage(error: Error | null): error is Error {
  return (
    error instanceof ConnectionError ||
    (error instanceof ServiceError && (error.status === 429 || error.status >= 500))
  );
}

/** Returns the error of an outage that concerns the view; undefined if all of its requests succeed. */
export function useOutageError(): Error | undefined {
  const queryClient = useQueryClient();
  const latest = useRef<Error>(undefined);
  const subscribe = useCallback(
    (notify: () => void) => queryClient.getQueryCache().subscribe(notifyManager.batchCalls(notify)),
    [queryClient],
  );
  return useSyncExternalStore(subscribe, () => {
    const errors = failedQueries(queryClient).map(({ state }) => state.error);
    // A query without data has no error while it is repeated.
    const isRepeating = errors.includes(null);
    latest.current = errors.find(isOutage) ?? (isRepeating ? latest.current : undefined);
    return latest.current;
  });
}

/** Repeats the failed requests of the view. */
export function repeatFailed(queryClient: QueryClient): void {
  for (const query of failedQueries(queryClient)) {
    // A refetch would load a new snapshot of all pages: `useAlertPages` repeats the request for the next page.
    if (query.queryKey[0] === ALERT_PAGES && query.state.data !== undefined) continue;
    void query.fetch().catch(() => undefined);
  }
}

/** Returns the queries in view whose latest request has failed. */
function failedQueries(queryClient: QueryClient): Query[] {
  const active = queryClient.getQueryCache().findAll({ type: 'active' });
  const isLive = active.some(({ queryKey }) => queryKey[0] === LIVE);
  return active.filter(
    ({ queryKey, state }) => state.errorUpdatedAt > state.dataUpdatedAt && (queryKey[0] !== PULSE || isLive),
  );
}

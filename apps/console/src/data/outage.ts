import { ConnectionError, ServiceError } from '@gpu-observatory/client';
import { notifyManager, type Query, type QueryClient, useQueryClient } from '@tanstack/react-query';
import { createContext, useCallback, useRef, useSyncExternalStore } from 'react';
import { LIVE, PULSE } from './queries.ts';

/** The error of an outage; undefined while the services respond. */
export const OutageContext = createContext<Error | undefined>(undefined);

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

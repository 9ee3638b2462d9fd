import { type Query, type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { useServices } from '../session/services.ts';
import { LIVE, PULSE, type Scope } from './queries.ts';

const PULSE_INTERVAL_MS = 5_000;

/** The version of the data that the view shows. */
interface Version {
  /** Entity tag of the newest known version; undefined if a query may have loaded an older one. */
  etag: string | undefined;
  /** Time of the newest import that the view shows, RFC 3339; undefined without imports. */
  dataAsOf: string | undefined;
  /** Time of the request that last confirmed that the view is current, in ms since the epoch. */
  confirmedAtMs: number;
}

export interface Pulse extends Pick<Version, 'dataAsOf'> {
  /** Undefined until the first response. */
  confirmedAtMs: number | undefined;
  error: Error | null;
}

/**
 * Polls the version of all data of the scope, for the shell, with one conditional request per 5 s, none while the tab is
 * hidden, and refreshes the live queries when it has changed. The entity tag of the list of GPUs changes with every import,
 * of alerts and of telemetry, and when time alone changes the health of a GPU (docs/fleet-api.md#freshness).
 */
export function usePulse(scope: Scope): Pulse {
  const { fleet } = useServices();
  const queryClient = useQueryClient();
  const queryKey = [PULSE, scope];
  const { data, error } = useQuery({
    queryKey,
    queryFn: async ({ signal }): Promise<Version> => {
      const known = queryClient.getQueryData<Version>(queryKey);
      const confirmedAtMs = Date.now();
      const { response } = await fleet
        .get('/api/v1/gpus', { params: { query: { view: 'basic', page_size: 1, ...scope } }, signal })
        .withResponse();
      const { etag, dataAsOf } = response;
      // The queries that were sent before may have loaded the version before: the next poll repeats them.
      if (known === undefined) return { etag: undefined, dataAsOf, confirmedAtMs };
      if (etag !== undefined && known.etag === etag) {
        const isCurrent = await refreshOutdated(queryClient);
        return isCurrent ? { etag, dataAsOf, confirmedAtMs } : known;
      }
      // The first response of a query that is in flight may be of the version before: the next poll refreshes it.
      const recordedEtag = liveQueries(queryClient).some(isLoading) ? undefined : etag;
      await queryClient.invalidateQueries({ queryKey: [LIVE], refetchType: 'none' });
      const isCurrent = await refreshOutdated(queryClient);
      return isCurrent ? { etag: recordedEtag, dataAsOf, confirmedAtMs } : { ...known, etag: recordedEtag };
    },
    refetchInterval: PULSE_INTERVAL_MS,
    refetchIntervalInBackground: false,
  });
  return { dataAsOf: data?.dataAsOf, confirmedAtMs: data?.confirmedAtMs, error };
}

/** Repeats the live queries in view that are outdated. Returns whether all of them are current. */
async function refreshOutdated(queryClient: QueryClient): Promise<boolean> {
  // Requests that failed are repeated by the shell, with its countdown.
  const predicate = ({ state }: Query) => state.isInvalidated && state.errorUpdatedAt <= state.dataUpdatedAt;
  await queryClient.refetchQueries({ queryKey: [LIVE], type: 'active', predicate });
  return liveQueries(queryClient).every(({ state }) => state.data === undefined || !state.isInvalidated);
}

function liveQueries(queryClient: QueryClient): Query[] {
  return queryClient.getQueryCache().findAll({ queryKey: [LIVE], type: 'active' });
}

function isLoading({ state }: Query): boolean {
  return state.data === undefined && state.fetchStatus === 'fetching';
}

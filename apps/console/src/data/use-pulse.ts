import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useServices } from '../session/services.ts';
import { LIVE, PULSE, type Scope } from './queries.ts';

const PULSE_INTERVAL_MS = 5_000;

export interface Pulse {
  /** Time of the newest import, RFC 3339; undefined until the first response. */
  dataAsOf: string | undefined;
  error: Error | null;
}

/**
 * Polls the data version, for the shell, with one conditional request per 5 s, none while the tab is hidden, and refreshes
 * the live queries when it has changed.
 */
export function usePulse(scope: Scope): Pulse {
  const { fleet } = useServices();
  const queryClient = useQueryClient();
  const { data, error } = useQuery({
    queryKey: [PULSE, scope],
    queryFn: async ({ signal }) => {
      const known = queryClient.getQueryData([PULSE, scope]);
      const { response } = await fleet
        .get('/api/v1/alerts', { params: { query: { page_size: 1, ...scope } }, signal })
        .withResponse();
      if (known !== undefined && !response.notModified) {
        void queryClient.invalidateQueries({ queryKey: [LIVE] });
      }
      return { dataAsOf: response.dataAsOf };
    },
    refetchInterval: PULSE_INTERVAL_MS,
    refetchIntervalInBackground: false,
  });
  return { dataAsOf: data?.dataAsOf, error };
}

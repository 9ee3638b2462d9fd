import { useQueries, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { type Gpu, gpuQuery } from '../data/queries.ts';
import { useServices } from '../session/services.ts';
import { type Attention, attentionOf, byCause, byUrgency, withOneOfLostHosts } from './attention.ts';

/** GPUs whose details are requested, one request each: the list of GPUs has neither rules nor their start. */
const MAX_EXAMINED = 200;
/** Requests at once: the service limits the concurrent ones of a customer. */
const MAX_CONCURRENT = 12;

/** The unhealthy GPUs of a list, and for how many of them the start is not known. */
export interface AttentionState {
  /** The most urgent first, the newest of them before older ones. */
  rows: Attention[];
  unhealthyCount: number;
  /** GPUs whose detail is being requested. */
  pendingCount: number;
  /** GPUs whose request failed, or that are too many to request. */
  unknownCount: number;
}

/**
 * Returns the unhealthy GPUs of a list. GPUs of one host with the same rule are one row: they have one cause. A detail is
 * requested while it is unknown or contradicts the list; a row that is shown keeps its own current.
 */
export function useAttention(gpus: Gpu[]): AttentionState {
  const services = useServices();
  const queryClient = useQueryClient();
  // The API lists the most urgent GPUs first.
  const groups = useMemo(() => withOneOfLostHosts(gpus.filter(({ health }) => health !== 'healthy')), [gpus]);
  let requestCount = 0;
  const details = useQueries({
    queries: groups.slice(0, MAX_EXAMINED).map(({ gpu }) => {
      const query = gpuQuery(services, gpu.gpu_id);
      const state = queryClient.getQueryState(query.queryKey);
      const isKnown = state?.data?.gpu.health === gpu.health;
      if (!isKnown && state?.status !== 'error') requestCount += 1;
      return { ...query, enabled: !isKnown && requestCount <= MAX_CONCURRENT };
    }),
  });
  const examined = groups.map((group, n) => {
    const { data, isError = true } = details[n] ?? {};
    const health = data?.gpu.health === group.gpu.health ? data.gpu.security_diagnostics.health : undefined;
    return { row: attentionOf(group, health?.reasons), isError };
  });
  const countOf = (some: typeof examined) => some.reduce((sum, { row: { count } }) => sum + count, 0);
  const withoutStart = examined.filter(({ row: { startsMs } }) => startsMs.length === 0);
  return {
    rows: byUrgency(byCause(examined.map(({ row }) => row))),
    unhealthyCount: countOf(examined),
    pendingCount: countOf(withoutStart.filter(({ isError }) => !isError)),
    unknownCount: countOf(withoutStart.filter(({ isError }) => isError)),
  };
}

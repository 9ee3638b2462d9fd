import { useQueries } from '@tanstack/react-query';
import { useMemo } from 'react';
import { type Gpu, gpuRulesQuery } from '../data/queries.ts';
import { useServices } from '../session/services.ts';
import { type Attention, attentionOf, byCause, byUrgency, withOneOfLostHosts } from './attention.ts';

/** GPUs whose rules are requested: each takes one request, and a longer list does not fit here. */
const MAX_EXAMINED = 30;

/**
 * Returns the unhealthy GPUs, the most urgent first, the newest of them before older ones. GPUs of one host with the same
 * rule are one row: they have one cause.
 */
export function useAttention(gpus: Gpu[] | undefined): { rows: Attention[]; unhealthyCount: number } {
  const services = useServices();
  // The API lists the most urgent GPUs first.
  const unhealthy = useMemo(() => (gpus ?? []).filter(({ health }) => health !== 'healthy'), [gpus]);
  const examined = useMemo(() => withOneOfLostHosts(unhealthy).slice(0, MAX_EXAMINED), [unhealthy]);
  const details = useQueries({ queries: examined.map(({ gpu }) => gpuRulesQuery(services, gpu)) });
  const rows = examined.map((each, n) =>
    attentionOf(each, details[n]?.data?.gpu.security_diagnostics.health.reasons),
  );
  return { rows: byUrgency(byCause(rows)), unhealthyCount: unhealthy.length };
}

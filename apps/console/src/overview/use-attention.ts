import { useQueries } from '@tanstack/react-query';
import { useMemo } from 'react';
import { type Gpu, type GpuDetail, gpuRulesQuery } from '../data/queries.ts';
import { useServices } from '../session/services.ts';

/** GPUs whose rules are requested: each takes one request, and a longer list does not fit here. */
const MAX_EXAMINED = 30;

type HealthReason = GpuDetail['security_diagnostics']['health']['reasons'][number];

export interface Attention {
  gpu: Gpu;
  /** The most urgent rule; undefined until it is loaded. */
  reason: HealthReason | undefined;
  /** GPUs of the same host with the same health and rule, this one included. */
  count: number;
}

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
  const rows = examined
    .map((row, n) => ({ ...row, reason: details[n]?.data?.gpu.security_diagnostics.health.reasons[0] }))
    .sort(
      (a, b) =>
        urgencyOf(a) - urgencyOf(b) || (sinceOf(a) < sinceOf(b) ? 1 : sinceOf(a) > sinceOf(b) ? -1 : 0),
    );
  return { rows: byCause(rows), unhealthyCount: unhealthy.length };
}

/** Keeps one of the missing GPUs of a host whose last reports are of the same minute: the host has stopped reporting. */
function withOneOfLostHosts(gpus: Gpu[]): Pick<Attention, 'gpu' | 'count'>[] {
  const groups = Map.groupBy(gpus, ({ gpu_id, health, hostname, last_seen }) =>
    health === 'missing' ? JSON.stringify([hostname, last_seen.slice(0, 16)]) : gpu_id,
  );
  return [...groups.values()].map((group) => ({ gpu: group[0] as Gpu, count: group.length }));
}

/** Keeps the first GPU of each host, health and rule, with the size of the group. */
function byCause(rows: Attention[]): Attention[] {
  const causes = Map.groupBy(rows, ({ gpu, reason }) =>
    reason ? JSON.stringify([gpu.hostname, gpu.health, reason.rule]) : gpu.gpu_id,
  );
  return [...causes.values()].map((group) => ({ ...(group[0] as Attention), count: gpuCount(group) }));
}

/** Returns the number of GPUs in rows. */
export function gpuCount(rows: Attention[]): number {
  return rows.reduce((sum, { count }) => sum + count, 0);
}

/** Ranks GPUs with a critical rule, missing ones included, before all others. */
function urgencyOf({ gpu, reason }: Attention): number {
  return gpu.health === 'critical' || reason?.health === 'critical' ? 0 : 1;
}

/** Returns when the GPU stopped being healthy, RFC 3339. */
export function sinceOf({ gpu, reason }: Pick<Attention, 'gpu' | 'reason'>): string {
  return reason?.since ?? gpu.last_seen;
}

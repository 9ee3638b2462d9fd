import type { HealthReason } from '../data/fault.ts';
import type { Gpu } from '../data/queries.ts';

export interface Attention {
  gpu: Gpu;
  /** The most urgent rule; undefined until it is loaded. */
  reason: HealthReason | undefined;
  /** GPUs of the same host with the same health and rule, this one included. */
  count: number;
  /** When each of them got this health, in ms since the epoch; empty until it is loaded. */
  startsMs: number[];
}

/** GPUs that are one row before their rules are loaded. */
export interface Examined {
  gpu: Gpu;
  group: Gpu[];
}

/** Keeps the first of the missing GPUs of a host whose last reports are of the same minute: the host has stopped reporting. */
export function withOneOfLostHosts(gpus: Gpu[]): Examined[] {
  const groups = Map.groupBy(gpus, ({ gpu_id, health, hostname, last_seen }) =>
    health === 'missing' ? JSON.stringify([hostname, last_seen.slice(0, 16)]) : gpu_id,
  );
  return [...groups.values()].map((group) => ({ gpu: group[0] as Gpu, group }));
}

/** Returns the row of examined GPUs. The reasons are those of the first one, the most urgent first. */
export function attentionOf({ gpu, group }: Examined, reasons: HealthReason[] | undefined): Attention {
  return { gpu, reason: reasons?.[0], count: group.length, startsMs: startsOf(gpu, group, reasons) };
}

/** A missing GPU got this health when it stopped reporting, even if a rule from before that still applies. */
function startsOf({ health }: Gpu, group: Gpu[], reasons: HealthReason[] | undefined): number[] {
  if (health === 'missing') return group.map(({ last_seen }) => Date.parse(last_seen));
  const starts = (reasons ?? [])
    .filter((reason) => reason.health === health)
    .map(({ since }) => Date.parse(since));
  return starts.length === 0 ? [] : [Math.min(...starts)];
}

/** Merges GPUs of one host with the same health and rule: they have one cause. */
export function byCause(rows: Attention[]): Attention[] {
  const causes = Map.groupBy(rows, ({ gpu, reason }) =>
    reason ? JSON.stringify([gpu.hostname, gpu.health, reason.rule]) : gpu.gpu_id,
  );
  return [...causes.values()].map((group) => ({
    ...(group.toSorted((a, b) => startOf(b) - startOf(a))[0] as Attention),
    count: gpuCount(group),
    startsMs: group.flatMap(({ startsMs }) => startsMs),
  }));
}

/** Sorts rows with a critical rule, missing GPUs included, before all others, and newer ones before older ones. */
export function byUrgency(rows: Attention[]): Attention[] {
  return rows.toSorted((a, b) => urgencyOf(a) - urgencyOf(b) || startOf(b) - startOf(a));
}

function urgencyOf({ gpu, reason }: Attention): number {
  return gpu.health === 'critical' || reason?.health === 'critical' ? 0 : 1;
}

/** Keeps the GPUs that got their health since a time, in ms since the epoch. */
export function newSince(rows: Attention[], fromMs: number): Attention[] {
  const fresh = rows.map((row) => {
    const startsMs = row.startsMs.filter((startMs) => startMs >= fromMs);
    return { ...row, startsMs, count: startsMs.length };
  });
  return byUrgency(fresh.filter(({ count }) => count > 0));
}

/** Returns the number of GPUs in rows. */
export function gpuCount(rows: Attention[]): number {
  return rows.reduce((sum, { count }) => sum + count, 0);
}

/** Returns when the first GPU of a row got its health, in ms since the epoch; before all times while it is unknown. */
export function startOf({ startsMs }: Pick<Attention, 'startsMs'>): number {
  return startsMs.length === 0 ? 0 : Math.min(...startsMs);
}

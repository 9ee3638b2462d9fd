import type { GpuStatus } from '../data/queries.ts';

/** GPUs of one host with the same health for the same reason. */
export interface Attention {
  /** The one that got its health last. */
  gpu: GpuStatus;
  /** Number of these GPUs. */
  count: number;
  /** When each of them got its health, in ms since the epoch. */
  startsMs: number[];
}

/** Merges GPUs of one host with the same health and rule, which have one cause; the most urgent first. */
export function attentionOf(gpus: GpuStatus[]): Attention[] {
  const causes = Map.groupBy(gpus, ({ gpu_id, hostname, health, reason }) =>
    hostname === '' ? gpu_id : JSON.stringify([hostname, health, reason?.rule]),
  );
  const rows = [...causes.values()].map((group) => ({
    gpu: group.toSorted((a, b) => startOf(b) - startOf(a))[0] as GpuStatus,
    count: group.length,
    startsMs: group.map(startOf),
  }));
  return rows.toSorted((a, b) => urgencyOf(a) - urgencyOf(b) || firstStartOf(b) - firstStartOf(a));
}

/** Critical GPUs, and missing ones that failed before, come before all others. */
function urgencyOf({ gpu: { health, reason } }: Attention): number {
  return health === 'critical' || reason?.health === 'critical' ? 0 : 1;
}

/** Keeps the GPUs that got their health since a time, in ms since the epoch. */
export function newSince(rows: Attention[], fromMs: number): Attention[] {
  return rows
    .map((row) => {
      const startsMs = row.startsMs.filter((startMs) => startMs >= fromMs);
      return { ...row, startsMs, count: startsMs.length };
    })
    .filter(({ count }) => count > 0);
}

/** Returns the number of GPUs in rows. */
export function gpuCount(rows: Attention[]): number {
  return rows.reduce((sum, { count }) => sum + count, 0);
}

/** Returns when the first GPU of a row got its health, in ms since the epoch. */
export function firstStartOf({ startsMs }: Attention): number {
  return Math.min(...startsMs);
}

function startOf({ since, last_seen }: GpuStatus): number {
  return Date.parse(since ?? last_seen);
}

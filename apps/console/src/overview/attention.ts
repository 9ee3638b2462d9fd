import { type Fault, faultOfStatus } from '../data/fault.ts';
import type { GpuStatus } from '../data/queries.ts';

/** GPUs of one host with the same health for the same reason. */
export interface Attention {
  /** The one that got its health first, which is often the cause. The list of hosts has the reason of the same GPU. */
  gpu: GpuStatus;
  /** All of them, in the order in which they got their health. */
  gpus: GpuStatus[];
  /** The fault of the first one; undefined if the rule behind its health is not known. */
  fault: Fault | undefined;
  /** Start of the fault of the first one, RFC 3339. A missing GPU that failed before has the time of its failure. */
  since: string;
}

/** Merges GPUs of one host with the same health and rule, which have one cause; the most urgent first. */
export function attentionOf(gpus: GpuStatus[]): Attention[] {
  const causes = Map.groupBy(gpus, ({ gpu_id, hostname, health, reason }) =>
    hostname === '' ? gpu_id : JSON.stringify([hostname, health, reason?.rule]),
  );
  const rows = [...causes.values()].map((group) => rowOf(group.toSorted((a, b) => startOf(a) - startOf(b))));
  return rows.toSorted((a, b) => urgencyOf(a) - urgencyOf(b) || Date.parse(b.since) - Date.parse(a.since));
}

/** @param gpus at least one, in the order in which they got their health */
function rowOf(gpus: GpuStatus[]): Attention {
  const gpu = gpus[0] as GpuStatus;
  const { reason, health, since, last_seen } = gpu;
  const fault = reason === null ? undefined : faultOfStatus(reason, health);
  return { gpu, gpus, fault, since: fault?.since ?? since ?? last_seen };
}

/** Critical GPUs, and missing ones that failed before, come before all others. */
function urgencyOf({ gpu: { health, reason } }: Attention): number {
  return health === 'critical' || reason?.health === 'critical' ? 0 : 1;
}

/** Keeps the GPUs that got their health since a time, in ms since the epoch. */
export function newSince(rows: Attention[], fromMs: number): Attention[] {
  const groups = rows.map(({ gpus }) => gpus.filter((gpu) => startOf(gpu) >= fromMs));
  return groups.filter(({ length }) => length > 0).map(rowOf);
}

/** Returns the number of GPUs in rows. */
export function gpuCount(rows: Attention[]): number {
  return rows.reduce((sum, { gpus }) => sum + gpus.length, 0);
}

function startOf({ since, last_seen }: GpuStatus): number {
  return Date.parse(since ?? last_seen);
}

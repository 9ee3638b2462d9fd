import { DAY_MS } from '@gpu-observatory/domain-types';
import type { ImportDatabase } from '../../write/import-database.ts';
import type { SmiGpu } from './smi-gpu.ts';

/** A process that was not seen for this time has ended; its pid and name may have been reused. */
const MAX_GAP_MS = DAY_MS;

/** Times are RFC 3339 UTC with milliseconds, so that text compares as time. */
interface SeenProcess {
  startedAt: string;
  lastSeen: string;
}

/** Reads rows of `fleet.gpu_processes`, by customer and GPU. */
const READ_PROCESSES = `SELECT gpu_id, pid, name, started_at, last_seen FROM fleet.gpu_processes
  WHERE customer_id = $1 AND gpu_id = ANY ($2) ORDER BY started_at`;

/**
 * Determines start times of processes, which nvidia-smi does not report: a process starts when it is first seen. A process with
 * the same GPU, pid and name that was seen less than `MAX_GAP_MS` before is the same process.
 */
export class ProcessStarts {
  private readonly known = new Map<string, SeenProcess[]>();
  private readonly loadedGpus = new Set<string>();

  constructor(
    private readonly database: Pick<ImportDatabase, 'query'>,
    private readonly customerId: number,
  ) {}

  /** Reads the stored processes of these GPUs. */
  async load(gpus: readonly SmiGpu[]): Promise<void> {
    const missing = gpus.filter(
      ({ gpuId, processes }) => processes.length > 0 && !this.loadedGpus.has(gpuId),
    );
    if (missing.length === 0) return;
    for (const { gpuId } of missing) this.loadedGpus.add(gpuId);
    const rows = await this.database.query<{
      gpu_id: string;
      pid: number;
      name: string;
      started_at: Date;
      last_seen: Date;
    }>(READ_PROCESSES, [this.customerId, missing.map(({ gpuId }) => gpuId)]);
    for (const { gpu_id, pid, name, started_at, last_seen } of rows) {
      const process = { startedAt: started_at.toISOString(), lastSeen: last_seen.toISOString() };
      this.processesOf(gpu_id, pid, name).push(process);
    }
  }

  /** Returns the start time of a process that is seen at `at`, and records that it was seen. */
  startOf(gpuId: string, pid: number, name: string, at: string): string {
    const processes = this.processesOf(gpuId, pid, name);
    const earliest = new Date(Date.parse(at) - MAX_GAP_MS).toISOString();
    const same = processes.findLast(({ startedAt, lastSeen }) => startedAt <= at && lastSeen >= earliest);
    if (same !== undefined) {
      if (at > same.lastSeen) same.lastSeen = at;
      return same.startedAt;
    }
    processes.push({ startedAt: at, lastSeen: at });
    processes.sort((a, b) => (a.startedAt < b.startedAt ? -1 : 1));
    return at;
  }

  /** Returns the known processes. The caller may add to the list. */
  private processesOf(gpuId: string, pid: number, name: string): SeenProcess[] {
    const key = `${gpuId} ${pid} ${name}`;
    const known = this.known.get(key) ?? [];
    this.known.set(key, known);
    return known;
  }
}

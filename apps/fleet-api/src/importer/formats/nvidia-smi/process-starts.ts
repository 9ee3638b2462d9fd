import type { ImportDatabase } from '../../write/import-database.ts';
import type { SmiGpu } from './smi-records.ts';

/** A process that was not seen for so long has ended; another one may have its number and name by now. */
const LONGEST_GAP_MS = 24 * 3_600_000;

/** Times are RFC 3339 UTC with milliseconds, so that text compares as time. */
interface Sightings {
  startedAt: string;
  lastSeen: string;
}

/**
 * Since when processes run, as far as it is known: nvidia-smi does not say, so a process begins with its first sighting,
 * and one of the same GPU, number and name that was seen lately is the same.
 */
export class ProcessStarts {
  private readonly known = new Map<string, Sightings[]>();
  private readonly loadedGpus = new Set<string>();

  constructor(
    private readonly database: Pick<ImportDatabase, 'query'>,
    private readonly customerId: number,
  ) {}

  /** Reads what is known of the processes of these GPUs. */
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
    }>(
      `SELECT gpu_id, pid, name, started_at, last_seen FROM fleet.gpu_processes
       WHERE customer_id = $1 AND gpu_id = ANY ($2) ORDER BY started_at`,
      [this.customerId, missing.map(({ gpuId }) => gpuId)],
    );
    for (const { gpu_id, pid, name, started_at, last_seen } of rows) {
      const sightings = { startedAt: started_at.toISOString(), lastSeen: last_seen.toISOString() };
      this.sightingsOf(gpu_id, pid, name).push(sightings);
    }
  }

  /** When the process that is seen now began. */
  of(gpuId: string, pid: number, name: string, at: string): string {
    const sightings = this.sightingsOf(gpuId, pid, name);
    const lately = new Date(Date.parse(at) - LONGEST_GAP_MS).toISOString();
    const same = sightings.findLast(({ startedAt, lastSeen }) => startedAt <= at && lastSeen >= lately);
    if (same) {
      if (at > same.lastSeen) same.lastSeen = at;
      return same.startedAt;
    }
    sightings.push({ startedAt: at, lastSeen: at });
    sightings.sort((a, b) => (a.startedAt < b.startedAt ? -1 : 1));
    return at;
  }

  private sightingsOf(gpuId: string, pid: number, name: string): Sightings[] {
    const key = `${gpuId} ${pid} ${name}`;
    const known = this.known.get(key) ?? [];
    this.known.set(key, known);
    return known;
  }
}

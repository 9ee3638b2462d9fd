import { DAY_MS } from '@gpu-observatory/domain-types';
import { missingTimeoutMs } from '../../model/health/missing-data-timeout.ts';
import { ownerOf } from '../../model/metrics/rollup-scope.ts';
import type { GpuDay } from './gpu-day.ts';
import { gpuDayKey, readGpuDays, writeGpuDays } from './gpu-days.ts';
import { DEFAULT_REPORT_INTERVAL_SECONDS } from './gpu-inventory.ts';
import { fromRow, type GpuRow, READ_GPUS, toRow, WRITE_GPUS } from './gpu-row.ts';
import type { GpuState } from './gpu-state.ts';
import type { ImportConnection } from './import-connection.ts';
import type { CountedEntity, EntityCounts } from './rollups/entity-counts.ts';

/** Number of the newest days that stay cached. Others are read again when needed. */
const CACHED_DAYS = 2;

/**
 * GPUs and days of one customer that an import has touched. They stay cached until another session writes for the
 * customer, which `BatchWriter` detects by the import sequence number.
 */
export class GpuCache {
  /** GPUs by id; null when not stored. */
  private readonly gpus = new Map<string, GpuState | null>();
  /** Ids of GPUs with changes that are not written. */
  private readonly touchedGpus = new Set<string>();
  /** Days by `gpuDayKey`. */
  private readonly days = new Map<string, GpuDay>();
  /** Days with changes that are not written. */
  private readonly touchedDays = new Map<string, { gpuId: string; day: GpuDay }>();
  /** Properties of the cached GPUs that `fleet.entity_counts` includes, by id. */
  private readonly counted = new Map<string, CountedEntity>();

  constructor(
    private readonly connection: ImportConnection,
    private readonly customerId: number,
  ) {}

  /** Reads GPUs that are not cached. */
  async load(gpuIds: Iterable<string>): Promise<void> {
    const missing = [...new Set(gpuIds)].filter((gpuId) => !this.gpus.has(gpuId));
    if (missing.length === 0) return;
    for (const gpuId of missing) this.gpus.set(gpuId, null);
    const rows = await this.connection.query<GpuRow>(READ_GPUS, [this.customerId, missing]);
    for (const row of rows) {
      const state = fromRow(row);
      this.gpus.set(row.gpu_id, state);
      this.counted.set(row.gpu_id, countedGpu(state));
    }
  }

  /** Reads days that are not cached. */
  async loadDays(wanted: { gpuId: string; dayMs: number }[]): Promise<void> {
    const missing = new Map(
      wanted
        .map((entry) => [gpuDayKey(entry.gpuId, entry.dayMs), entry] as const)
        .filter(([key]) => !this.days.has(key)),
    );
    if (missing.size === 0) return;
    const found = await readGpuDays(this.connection, this.customerId, [...missing.values()]);
    for (const [key, day] of found) this.days.set(key, day);
  }

  get(gpuId: string): GpuState | null {
    return this.gpus.get(gpuId) ?? null;
  }

  /** Returns a GPU of which the caller knows that it is stored or was added. */
  getKnown(gpuId: string): GpuState {
    return this.gpus.get(gpuId) as GpuState;
  }

  /** Adds a GPU, or marks it as changed. */
  touch(state: GpuState): void {
    this.gpus.set(state.gpu_id, state);
    this.touchedGpus.add(state.gpu_id);
  }

  getDay(gpuId: string, dayMs: number): GpuDay | undefined {
    return this.days.get(gpuDayKey(gpuId, dayMs));
  }

  /** Adds a day, or marks it as changed. */
  touchDay(gpuId: string, day: GpuDay): void {
    const key = gpuDayKey(gpuId, day.startMs);
    this.days.set(key, day);
    this.touchedDays.set(key, { gpuId, day });
  }

  /** Writes all changes since the last call, and adds them to the counts. */
  async write(counts: EntityCounts): Promise<void> {
    await writeGpuDays(this.connection, this.customerId, [...this.touchedDays.values()]);
    this.touchedDays.clear();
    this.evictOldDays();
    const states = [...this.touchedGpus].map((gpuId) => this.getKnown(gpuId));
    this.touchedGpus.clear();
    if (states.length === 0) return;
    for (const state of states) {
      const now = countedGpu(state);
      counts.update('gpu', this.counted.get(state.gpu_id) ?? null, now);
      this.counted.set(state.gpu_id, now);
    }
    await this.connection.query(WRITE_GPUS, [this.customerId, JSON.stringify(states.map(toRow))]);
  }

  private evictOldDays(): void {
    let newestMs = 0;
    for (const { startMs } of this.days.values()) newestMs = Math.max(newestMs, startMs);
    for (const [key, { startMs }] of this.days)
      if (startMs < newestMs - (CACHED_DAYS - 1) * DAY_MS) this.days.delete(key);
  }
}

function countedGpu(state: GpuState): CountedEntity {
  const { first_seen, last_seen } = state;
  return { ...ownerOf(state), first_seen, last_seen, missing_at: missingAt(state) };
}

/** Returns the time at which the GPU goes missing unless it sends another sample; null without samples. */
function missingAt({ health_state, report_interval_seconds: interval }: GpuState): string | null {
  if (health_state.at === undefined) return null;
  const timeoutMs = missingTimeoutMs(interval ?? DEFAULT_REPORT_INTERVAL_SECONDS);
  return new Date(Date.parse(health_state.at) + timeoutMs).toISOString();
}

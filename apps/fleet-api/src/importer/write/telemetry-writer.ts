import { HALF_HOUR_MS } from '../../model/gpu-days/format.ts';
import type {
  Attributed,
  GpuDayRecord,
  GpuProcessRecord,
  GpuRecord,
  GpuSampleRecord,
  GpuWorkloadRecord,
  XidEventRecord,
} from '../records/records.ts';
import type { BatchEntry, Outcomes } from './batch.ts';
import { GpuDay } from './gpu-day.ts';
import { addMeasuredDay } from './gpu-metrics.ts';
import { applyInventory, gpuOwner, type GpuState, newGpu, recordTelemetry } from './gpu-state.ts';
import type { GpuCache } from './gpu-cache.ts';
import type { ImportConnection } from './import-connection.ts';
import { writeProcesses } from './process-writer.ts';
import { writeWorkloads } from './workload-writer.ts';
import { ReadingWriter } from './reading-writer.ts';
import type { AlertXid } from './xid-alert.ts';
import type { MetricDays } from './rollups/metric-days.ts';
import { processId } from './entities/observations.ts';
import type { EntityCache } from './entities/entity-cache.ts';

const UNKNOWN_GPU = 'gpu_id is unknown: send a gpu record first';

/** Writes the records of GPUs of one batch, in its transaction. */
export class TelemetryWriter {
  constructor(
    private readonly connection: ImportConnection,
    private readonly customerId: number,
    private readonly gpus: GpuCache,
    private readonly rollups: { days: MetricDays; entities: EntityCache },
    private readonly outcomes: Outcomes,
  ) {}

  /** Applies `gpu` records: creates GPUs or updates their inventory. */
  inventory(entries: BatchEntry<Attributed<GpuRecord>>[]): void {
    for (const entry of entries) {
      const { record } = entry;
      if (record.workspace_id === null) {
        this.outcomes.reject(
          entry,
          'a gpu needs a workspace: set workspace_id in the record, or --workspace',
        );
        continue;
      }
      const stored = this.gpus.get(record.gpu_id);
      const state = stored ?? newGpu(record.gpu_id, record.workspace_id, record);
      // A later record counts as a change even if only its time differs.
      const before = stored && record.at <= stored.inventoryAt ? JSON.stringify(stored) : null;
      const owner = { workspaceId: record.workspace_id, apiKeyId: record.api_key_id ?? state.apiKeyId };
      const conflict = applyInventory(state, record.at, owner, record);
      if (conflict !== null) {
        this.outcomes.reject(
          entry,
          `a gpu record of this GPU and time is already stored with a different ${conflict}`,
        );
        continue;
      }
      this.rollups.entities.recordOwnerSeen(record.hostname, record.at, owner);
      if (before !== null && JSON.stringify(state) === before) {
        this.outcomes.duplicate(entry);
        continue;
      }
      this.gpus.touch(state);
      this.outcomes.wrote(entry);
    }
  }

  /** Writes `gpu_day` records. A day that is stored already, from samples or a record, stays unchanged. */
  async days(entries: BatchEntry<Attributed<GpuDayRecord>>[]): Promise<void> {
    const dayMs = (record: GpuDayRecord) => Date.parse(`${record.day}T00:00:00Z`);
    await this.gpus.loadDays(entries.map(({ record }) => ({ gpuId: record.gpu_id, dayMs: dayMs(record) })));
    for (const entry of entries) {
      const { record } = entry;
      const state = this.gpus.get(record.gpu_id);
      if (!state) this.outcomes.reject(entry, UNKNOWN_GPU);
      else if (this.gpus.getDay(record.gpu_id, dayMs(record))) this.outcomes.duplicate(entry);
      else {
        this.gpus.touchDay(record.gpu_id, GpuDay.fromRecord(record));
        addMeasuredDay(this.rollups.days.at(gpuOwner(state), dayMs(record)), record);
        this.recordDaySeen(state, dayMs(record), record);
        this.outcomes.wrote(entry);
      }
    }
  }

  /** Records that the GPU was seen in the first and the last half hour with samples. */
  private recordDaySeen(state: GpuState, dayMs: number, { samples }: GpuDayRecord): void {
    const measured = [samples.findIndex((n) => n > 0), samples.findLastIndex((n) => n > 0)];
    for (const halfHour of measured) {
      if (halfHour < 0) continue;
      const at = new Date(dayMs + halfHour * HALF_HOUR_MS).toISOString();
      recordTelemetry(state, at);
      this.rollups.entities.recordOwnerSeen(state.inventory.hostname, at, gpuOwner(state));
    }
    this.gpus.touch(state);
  }

  /** Writes `gpu_sample` and `xid_event` records, in their order. @returns the XIDs with an alert */
  async readings(entries: BatchEntry<Attributed<GpuSampleRecord | XidEventRecord>>[]): Promise<AlertXid[]> {
    const writer = new ReadingWriter(
      this.connection,
      this.customerId,
      this.gpus,
      this.rollups,
      this.outcomes,
    );
    return writer.readings(
      entries.filter((entry) => this.isOfKnownGpu(entry)) as Parameters<ReadingWriter['readings']>[0],
    );
  }

  /** Writes `gpu_process` records. */
  async processes(entries: BatchEntry<Attributed<GpuProcessRecord>>[]): Promise<void> {
    const ofKnownGpus = entries.filter((entry) => this.isOfKnownGpu(entry));
    await writeProcesses(this.connection, this.customerId, ofKnownGpus, this.outcomes);
    for (const { record } of ofKnownGpus) {
      const state = this.gpus.get(record.gpu_id) as GpuState;
      const owner = gpuOwner(state);
      const { hostname = '' } = state.inventory;
      this.rollups.entities.recordSeen('process', processId({ ...record, hostname }), record.at, owner);
      this.rollups.entities.recordOwnerSeen(hostname, record.at, owner);
    }
  }

  /** Writes `gpu_workload` records. */
  async workloads(entries: BatchEntry<Attributed<GpuWorkloadRecord>>[]): Promise<void> {
    const ofKnownGpus = entries.filter((entry) => this.isOfKnownGpu(entry));
    await writeWorkloads(this.connection, this.customerId, ofKnownGpus, this.outcomes);
  }

  private isOfKnownGpu(
    entry: BatchEntry<Attributed<GpuSampleRecord | XidEventRecord | GpuProcessRecord | GpuWorkloadRecord>>,
  ): boolean {
    if (this.gpus.get(entry.record.gpu_id)) return true;
    this.outcomes.reject(entry, UNKNOWN_GPU);
    return false;
  }
}

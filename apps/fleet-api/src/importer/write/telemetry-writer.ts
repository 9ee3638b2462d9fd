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
import type { BatchEntry } from './batch.ts';
import type { BatchContext } from './batch-context.ts';
import { GpuDay } from './gpu-day.ts';
import { addMeasuredDay } from './gpu-metrics.ts';
import { applyInventory, type GpuState, newGpu, recordTelemetry } from './gpu-state.ts';
import { writeProcesses } from './process-writer.ts';
import { writeWorkloads } from './workload-writer.ts';
import { ReadingWriter } from './reading-writer.ts';
import type { TimelineXid } from './xid-alert.ts';
import { processId } from './entities/observations.ts';

const UNKNOWN_GPU = 'gpu_id is unknown: send a gpu record first';

/** Writes the records of GPUs of one batch, in its transaction. */
export class TelemetryWriter {
  constructor(private readonly batch: BatchContext) {}

  /** Applies `gpu` records: creates GPUs or updates their inventory. */
  applyInventories(entries: BatchEntry<Attributed<GpuRecord>>[]): void {
    for (const entry of entries) {
      const { record } = entry;
      const { gpu_id, workspace_id } = record;
      if (workspace_id === null) {
        this.batch.outcomes.recordRejected(
          entry,
          'a gpu needs a workspace: set workspace_id in the record, or --workspace',
        );
        continue;
      }
      const stored = this.batch.gpus.get(gpu_id);
      // A later record counts as a change even if only its time differs.
      const before = stored && record.at <= stored.inventory_at ? JSON.stringify(stored) : null;
      const owner = { workspace_id, api_key_id: record.api_key_id ?? stored?.api_key_id ?? null };
      const state = stored ?? newGpu(record, owner);
      const conflict = applyInventory(state, record, owner);
      if (conflict !== null) {
        this.batch.outcomes.recordRejected(
          entry,
          `a gpu record of this GPU and time is already stored with a different ${conflict}`,
        );
        continue;
      }
      this.batch.entities.recordHostSeen(record.hostname, record.at, owner);
      if (before !== null && JSON.stringify(state) === before) {
        this.batch.outcomes.recordDuplicate(entry);
        continue;
      }
      this.batch.gpus.touch(state);
      this.batch.outcomes.recordWritten(entry);
    }
  }

  /** Writes `gpu_day` records. A day that is stored already, from samples or a record, stays unchanged. */
  async writeDays(entries: BatchEntry<Attributed<GpuDayRecord>>[]): Promise<void> {
    await this.batch.gpus.loadDays(
      entries.map(({ record }) => ({ gpuId: record.gpu_id, dayMs: dayMsOf(record) })),
    );
    for (const entry of this.withoutUnknownGpus(entries)) {
      const { record } = entry;
      const dayMs = dayMsOf(record);
      if (this.batch.gpus.getDay(record.gpu_id, dayMs)) {
        this.batch.outcomes.recordDuplicate(entry);
        continue;
      }
      const state = this.batch.gpus.getKnown(record.gpu_id);
      this.batch.gpus.touchDay(record.gpu_id, GpuDay.fromRecord(record));
      addMeasuredDay(this.batch.metricDays.dayOf(state, dayMs), record);
      this.recordDaySeen(state, dayMs, record);
      this.batch.outcomes.recordWritten(entry);
    }
  }

  /** Records that the GPU was seen in the first and the last half hour with samples. */
  private recordDaySeen(state: GpuState, dayMs: number, { samples }: GpuDayRecord): void {
    const firstAndLast = [samples.findIndex((n) => n > 0), samples.findLastIndex((n) => n > 0)];
    for (const halfHour of firstAndLast) {
      if (halfHour < 0) continue;
      const at = new Date(dayMs + halfHour * HALF_HOUR_MS).toISOString();
      recordTelemetry(state, at);
      this.batch.entities.recordHostSeen(state.hostname, at, state);
    }
    this.batch.gpus.touch(state);
  }

  /** Writes `gpu_sample` and `xid_event` records, in their order. @returns the XIDs with an alert */
  async writeReadings(
    entries: BatchEntry<Attributed<GpuSampleRecord | XidEventRecord>>[],
  ): Promise<TimelineXid[]> {
    const accepted = this.withoutUnknownGpus(entries);
    return new ReadingWriter(this.batch).write(accepted as Parameters<ReadingWriter['write']>[0]);
  }

  /** Writes `gpu_process` records. */
  async writeProcesses(entries: BatchEntry<Attributed<GpuProcessRecord>>[]): Promise<void> {
    const accepted = this.withoutUnknownGpus(entries);
    await writeProcesses(this.batch, accepted);
    for (const { record } of accepted) {
      const state = this.batch.gpus.getKnown(record.gpu_id);
      const { hostname = '' } = state;
      this.batch.entities.recordSeen('process', processId({ ...record, hostname }), record.at, state);
      this.batch.entities.recordHostSeen(hostname, record.at, state);
    }
  }

  /** Writes `gpu_workload` records. */
  async writeWorkloads(entries: BatchEntry<Attributed<GpuWorkloadRecord>>[]): Promise<void> {
    await writeWorkloads(this.batch, this.withoutUnknownGpus(entries));
  }

  /** Rejects the records of GPUs that are not stored, and returns the others. */
  private withoutUnknownGpus<R extends Attributed & { gpu_id: string }>(
    entries: BatchEntry<R>[],
  ): BatchEntry<R>[] {
    return entries.filter((entry) => {
      if (this.batch.gpus.get(entry.record.gpu_id)) return true;
      this.batch.outcomes.recordRejected(entry, UNKNOWN_GPU);
      return false;
    });
  }
}

function dayMsOf({ day }: GpuDayRecord): number {
  return Date.parse(`${day}T00:00:00Z`);
}

import { HALF_HOUR_MS } from '../../model/gpu-days/format.ts';
import type {
  Attributed,
  GpuDayRecord,
  GpuProcessRecord,
  GpuRecord,
  GpuWorkloadRecord,
} from '../records/records.ts';
import type { BatchEntry } from './batch.ts';
import type { BatchContext } from './batch-context.ts';
import { processId } from './entities/observations.ts';
import { GpuDay } from './gpu-day.ts';
import { addMeasuredDay } from './gpu-metrics.ts';
import { applyInventory, type GpuState, newGpu, recordTelemetry } from './gpu-state.ts';
import type { SampleEntry } from './new-samples.ts';
import { writeProcesses } from './process-writer.ts';
import { ReadingWriter, type XidEntry } from './reading-writer.ts';
import { writeWorkloads } from './workload-writer.ts';
import type { TimelineXid } from './xid-alert.ts';

const UNKNOWN_GPU = 'gpu_id is unknown: send a gpu record first';

/** Writes the records of GPUs of one batch, in its transaction. */
export class TelemetryWriter {
  constructor(private readonly context: BatchContext) {}

  /** Applies `gpu` records: creates GPUs or updates their inventory. */
  applyInventories(entries: BatchEntry<Attributed<GpuRecord>>[]): void {
    for (const entry of entries) {
      const { record } = entry;
      const { gpu_id, workspace_id } = record;
      if (workspace_id === null) {
        this.context.outcomes.recordRejected(
          entry,
          'a gpu needs a workspace: set workspace_id in the record, or --workspace',
        );
        continue;
      }
      const stored = this.context.gpus.get(gpu_id);
      // A later record counts as a change even if only its time differs.
      const before = stored && record.at <= stored.inventory_at ? JSON.stringify(stored) : null;
      const owner = { workspace_id, api_key_id: record.api_key_id ?? stored?.api_key_id ?? null };
      const state = stored ?? newGpu(record, owner);
      const conflict = applyInventory(state, record, owner);
      if (conflict !== null) {
        this.context.outcomes.recordRejected(
          entry,
          `a gpu record of this GPU and time is already stored with a different ${conflict}`,
        );
        continue;
      }
      this.context.entities.recordHostSeen(record.hostname, record.at, owner);
      if (before !== null && JSON.stringify(state) === before) {
        this.context.outcomes.recordDuplicate(entry);
        continue;
      }
      this.context.gpus.touch(state);
      this.context.outcomes.recordWritten(entry);
    }
  }

  /** Writes `gpu_day` records. A day that is stored already, from samples or a record, stays unchanged. */
  async writeDays(entries: BatchEntry<Attributed<GpuDayRecord>>[]): Promise<void> {
    await this.context.gpus.loadDays(
      entries.map(({ record }) => ({ gpuId: record.gpu_id, dayMs: dayMsOf(record) })),
    );
    for (const entry of this.withoutUnknownGpus(entries)) {
      const { record } = entry;
      const dayMs = dayMsOf(record);
      if (this.context.gpus.getDay(record.gpu_id, dayMs)) {
        this.context.outcomes.recordDuplicate(entry);
        continue;
      }
      const state = this.context.gpus.getKnown(record.gpu_id);
      this.context.gpus.touchDay(record.gpu_id, GpuDay.fromRecord(record));
      addMeasuredDay(this.context.metricDays.dayOf(state, dayMs), record);
      this.recordDaySeen(state, dayMs, record);
      this.context.outcomes.recordWritten(entry);
    }
  }

  /** Records that the GPU was seen in the first and the last half hour with samples. */
  private recordDaySeen(state: GpuState, dayMs: number, { samples }: GpuDayRecord): void {
    const firstAndLast = [samples.findIndex((n) => n > 0), samples.findLastIndex((n) => n > 0)];
    for (const halfHour of firstAndLast) {
      if (halfHour < 0) continue;
      const at = new Date(dayMs + halfHour * HALF_HOUR_MS).toISOString();
      recordTelemetry(state, at);
      this.context.entities.recordHostSeen(state.hostname, at, state);
    }
    this.context.gpus.touch(state);
  }

  /** Writes `gpu_sample` and `xid_event` records, in their order. @returns the XIDs with an alert */
  async writeReadings(entries: (SampleEntry | XidEntry)[]): Promise<TimelineXid[]> {
    return new ReadingWriter(this.context).write(this.withoutUnknownGpus(entries));
  }

  /** Writes `gpu_process` records. */
  async writeProcesses(entries: BatchEntry<Attributed<GpuProcessRecord>>[]): Promise<void> {
    const accepted = this.withoutUnknownGpus(entries);
    await writeProcesses(this.context, accepted);
    for (const { record } of accepted) {
      const state = this.context.gpus.getKnown(record.gpu_id);
      const { hostname = '' } = state;
      this.context.entities.recordSeen('process', processId({ ...record, hostname }), record.at, state);
      this.context.entities.recordHostSeen(hostname, record.at, state);
    }
  }

  /** Writes `gpu_workload` records. */
  async writeWorkloads(entries: BatchEntry<Attributed<GpuWorkloadRecord>>[]): Promise<void> {
    await writeWorkloads(this.context, this.withoutUnknownGpus(entries));
  }

  /** Rejects the records of GPUs that are not stored, and returns the others. */
  private withoutUnknownGpus<Entry extends BatchEntry<Attributed & { gpu_id: string }>>(
    entries: Entry[],
  ): Entry[] {
    return entries.filter((entry) => {
      if (this.context.gpus.get(entry.record.gpu_id)) return true;
      this.context.outcomes.recordRejected(entry, UNKNOWN_GPU);
      return false;
    });
  }
}

function dayMsOf({ day }: GpuDayRecord): number {
  return Date.parse(`${day}T00:00:00Z`);
}

import { observeXid } from '../../gpus/health/observe-xid.ts';
import type {
  Attributed,
  GpuDayRecord,
  GpuProcessRecord,
  GpuRecord,
  GpuSampleRecord,
  XidEventRecord,
} from '../records/records.ts';
import type { BatchEntry, Outcomes } from './batch.ts';
import { GpuDay } from './gpu-day.ts';
import { applyInventory, type GpuState } from './gpu-state.ts';
import type { GpuStates } from './gpu-states.ts';
import type { ImportConnection } from './import-connection.ts';
import { writeProcesses } from './process-writer.ts';
import { SampleWriter } from './sample-writer.ts';
import { insertXidEvents, xidEventKey } from './xid-events.ts';

const UNKNOWN_GPU = 'gpu_id is not known: send a gpu record for it first';

/** Writes the records about GPUs of one batch, inside the batch's transaction. */
export class TelemetryWriter {
  constructor(
    private readonly connection: ImportConnection,
    private readonly customerId: number,
    private readonly states: GpuStates,
    private readonly outcomes: Outcomes,
  ) {}

  /** `gpu` records: makes GPUs, or brings what is known of them up to date. */
  inventory(entries: BatchEntry<Attributed<GpuRecord>>[]): void {
    for (const entry of entries) {
      const { record } = entry;
      if (record.workspace_id === null) {
        this.outcomes.reject(
          entry,
          'a gpu needs a workspace: give workspace_id in the record or --workspace',
        );
        continue;
      }
      const known = this.states.get(record.gpu_id);
      const state: GpuState = known ?? {
        gpuId: record.gpu_id,
        workspaceId: record.workspace_id,
        apiKeyId: record.api_key_id,
        inventory: {},
        inventoryAt: record.at,
        firstSeen: record.at,
        lastSeen: record.at,
        latest: {},
        memory: {},
        facts: [],
      };
      const before = JSON.stringify(known);
      const conflict = applyInventory(
        state,
        record.at,
        { workspaceId: record.workspace_id, apiKeyId: record.api_key_id ?? state.apiKeyId },
        record,
      );
      if (conflict !== null) {
        this.outcomes.reject(entry, `a gpu record of this GPU and time is known, with another ${conflict}`);
        continue;
      }
      if (known && JSON.stringify(state) === before) {
        this.outcomes.known(entry);
        continue;
      }
      this.states.touch(state);
      this.outcomes.wrote(entry);
    }
  }

  /** `gpu_day` records: days measured elsewhere; one that is there already, from wherever, is left alone. */
  async days(entries: BatchEntry<Attributed<GpuDayRecord>>[]): Promise<void> {
    const dayMs = (record: GpuDayRecord) => Date.parse(`${record.day}T00:00:00Z`);
    await this.states.loadDays(entries.map(({ record }) => ({ gpuId: record.gpu_id, dayMs: dayMs(record) })));
    for (const entry of entries) {
      const { record } = entry;
      if (!this.states.get(record.gpu_id)) this.outcomes.reject(entry, UNKNOWN_GPU);
      else if (this.states.getDay(record.gpu_id, dayMs(record))) this.outcomes.known(entry);
      else {
        this.states.touchDay(record.gpu_id, GpuDay.fromRecord(record));
        this.outcomes.wrote(entry);
      }
    }
  }

  /** `gpu_sample` records. */
  async samples(entries: BatchEntry<Attributed<GpuSampleRecord>>[]): Promise<void> {
    const writer = new SampleWriter(this.connection, this.customerId, this.states, this.outcomes);
    await writer.samples(entries.filter((entry) => this.isOfKnownGpu(entry)));
  }

  /** `xid_event` records: events with their own time, and what they say of health. */
  async xidEvents(entries: BatchEntry<Attributed<XidEventRecord>>[]): Promise<void> {
    const ofKnownGpus = entries.filter((entry) => this.isOfKnownGpu(entry));
    const inserted = await insertXidEvents(
      this.connection,
      this.customerId,
      ofKnownGpus.map(({ record }) => ({ ...record, message: record.message ?? '' })),
    );
    for (const entry of ofKnownGpus) {
      const { record } = entry;
      if (!inserted.delete(xidEventKey(record))) {
        this.outcomes.known(entry);
        continue;
      }
      const state = this.states.get(record.gpu_id) as GpuState;
      state.facts = observeXid(state.facts, record.at, record.code, state.memory.resetAt);
      if (record.at > (state.latest.xid_reported_at ?? '')) state.latest.xid_reported_at = record.at;
      this.states.touch(state);
      this.outcomes.wrote(entry);
    }
  }

  /** `gpu_process` records. */
  async processes(entries: BatchEntry<Attributed<GpuProcessRecord>>[]): Promise<void> {
    const ofKnownGpus = entries.filter((entry) => this.isOfKnownGpu(entry));
    await writeProcesses(this.connection, this.customerId, ofKnownGpus, this.outcomes);
  }

  private isOfKnownGpu(
    entry: BatchEntry<Attributed<GpuSampleRecord | XidEventRecord | GpuProcessRecord>>,
  ): boolean {
    if (this.states.get(entry.record.gpu_id)) return true;
    this.outcomes.reject(entry, UNKNOWN_GPU);
    return false;
  }
}

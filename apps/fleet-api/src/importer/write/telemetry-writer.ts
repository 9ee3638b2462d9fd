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
import { addMeasuredDay } from './gpu-metrics.ts';
import { applyInventory, gpuOwner, type GpuState, sighted } from './gpu-state.ts';
import type { GpuStates } from './gpu-states.ts';
import type { ImportConnection } from './import-connection.ts';
import { writeProcesses } from './process-writer.ts';
import { ReadingWriter } from './reading-writer.ts';
import type { MetricDays } from './rollups/metric-days.ts';
import { processId } from './entities/observations.ts';
import type { Things } from './entities/entity-cache.ts';

const HALF_HOUR_MS = 1_800_000;
const UNKNOWN_GPU = 'gpu_id is not known: send a gpu record for it first';

/** Writes the records about GPUs of one batch, inside the batch's transaction. */
export class TelemetryWriter {
  constructor(
    private readonly connection: ImportConnection,
    private readonly customerId: number,
    private readonly states: GpuStates,
    private readonly rollups: { days: MetricDays; things: Things },
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
        metrics: {},
      };
      // A later record is news by its time alone.
      const before = known && record.at <= known.inventoryAt ? JSON.stringify(known) : null;
      const owner = { workspaceId: record.workspace_id, apiKeyId: record.api_key_id ?? state.apiKeyId };
      const conflict = applyInventory(state, record.at, owner, record);
      if (conflict !== null) {
        this.outcomes.reject(entry, `a gpu record of this GPU and time is known, with another ${conflict}`);
        continue;
      }
      this.rollups.things.seeOwner(record.hostname, record.at, owner);
      if (before !== null && JSON.stringify(state) === before) {
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
      const state = this.states.get(record.gpu_id);
      if (!state) this.outcomes.reject(entry, UNKNOWN_GPU);
      else if (this.states.getDay(record.gpu_id, dayMs(record))) this.outcomes.known(entry);
      else {
        this.states.touchDay(record.gpu_id, GpuDay.fromRecord(record));
        addMeasuredDay(this.rollups.days.at(gpuOwner(state), dayMs(record)), record);
        this.seeMeasuredDay(state, dayMs(record), record);
        this.outcomes.wrote(entry);
      }
    }
  }

  /** The GPU was there in the half hours that have samples. */
  private seeMeasuredDay(state: GpuState, dayMs: number, { samples }: GpuDayRecord): void {
    const heard = [samples.findIndex((n) => n > 0), samples.findLastIndex((n) => n > 0)];
    for (const halfHour of heard) {
      if (halfHour < 0) continue;
      const at = new Date(dayMs + halfHour * HALF_HOUR_MS).toISOString();
      sighted(state, at);
      this.rollups.things.seeOwner(state.inventory.hostname, at, gpuOwner(state));
    }
    this.states.touch(state);
  }

  /** `gpu_sample` and `xid_event` records, in the order they came. */
  async readings(entries: BatchEntry<Attributed<GpuSampleRecord | XidEventRecord>>[]): Promise<void> {
    const writer = new ReadingWriter(
      this.connection,
      this.customerId,
      this.states,
      this.rollups,
      this.outcomes,
    );
    await writer.readings(
      entries.filter((entry) => this.isOfKnownGpu(entry)) as Parameters<ReadingWriter['readings']>[0],
    );
  }

  /** `gpu_process` records. */
  async processes(entries: BatchEntry<Attributed<GpuProcessRecord>>[]): Promise<void> {
    const ofKnownGpus = entries.filter((entry) => this.isOfKnownGpu(entry));
    await writeProcesses(this.connection, this.customerId, ofKnownGpus, this.outcomes);
    for (const { record } of ofKnownGpus) {
      const state = this.states.get(record.gpu_id) as GpuState;
      const owner = gpuOwner(state);
      const { hostname = '' } = state.inventory;
      this.rollups.things.see('process', processId({ ...record, hostname }), record.at, owner);
      this.rollups.things.seeOwner(hostname, record.at, owner);
    }
  }

  private isOfKnownGpu(
    entry: BatchEntry<Attributed<GpuSampleRecord | XidEventRecord | GpuProcessRecord>>,
  ): boolean {
    if (this.states.get(entry.record.gpu_id)) return true;
    this.outcomes.reject(entry, UNKNOWN_GPU);
    return false;
  }
}

import type {
  Attributed,
  GpuDayRecord,
  GpuProcessRecord,
  GpuRecord,
  GpuSampleRecord,
  XidEventRecord,
} from '../records/records.ts';
import { observeXid } from '../../gpus/health/observe-xid.ts';
import type { BatchEntry, Outcomes } from './batch.ts';
import { dayOf, GpuDay } from './gpu-day.ts';
import { applyInventory, applySample, type GpuState } from './gpu-state.ts';
import type { GpuStates } from './gpu-states.ts';
import type { CopyValue, ImportConnection } from './import-connection.ts';

const SAMPLE_COLUMNS = [
  'customer_id',
  'gpu_id',
  'at',
  'utilization_pct',
  'memory_used_mib',
  'memory_total_mib',
  'temperature_c',
  'power_draw_w',
  'power_limit_w',
  'fan_pct',
  'sm_clock_mhz',
  'memory_clock_mhz',
  'xid_last_code',
  'throttle_reasons',
  'ecc_single_bit_total',
  'ecc_double_bit_total',
  'row_remap_failed',
  'row_remap_pending',
  'nvlink_errors_total',
  'pcie_replays_total',
] as const;

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
      applyInventory(
        state,
        record.at,
        { workspaceId: record.workspace_id, apiKeyId: record.api_key_id ?? state.apiKeyId },
        record,
      );
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

  /** `gpu_sample` records: raw samples, the day's sums, the latest readings, and what they say of health. */
  async samples(entries: BatchEntry<Attributed<GpuSampleRecord>>[]): Promise<void> {
    const fresh = await this.withoutKnown(entries);
    await this.states.loadDays(
      fresh.map(({ record }) => ({ gpuId: record.gpu_id, dayMs: dayOf(Date.parse(record.at)) })),
    );
    await this.connection.copy(
      'fleet.gpu_samples',
      SAMPLE_COLUMNS,
      function* (this: TelemetryWriter) {
        for (const { record } of fresh) yield this.sampleRow(record);
      }.call(this),
    );
    const xidEvents: XidEventRow[] = [];
    for (const entry of fresh) {
      const { record } = entry;
      const state = this.states.get(record.gpu_id) as GpuState;
      const atMs = Date.parse(record.at);
      const day = this.states.getDay(record.gpu_id, dayOf(atMs)) ?? new GpuDay(dayOf(atMs));
      day.add(atMs, record);
      this.states.touchDay(record.gpu_id, day);
      const code = applySample(state, record.at, record);
      if (code !== null) xidEvents.push({ gpu_id: record.gpu_id, at: record.at, code, message: '' });
      this.states.touch(state);
      this.outcomes.wrote(entry);
    }
    await this.insertXidEvents(xidEvents);
  }

  /** `xid_event` records: events with their own time, and what they say of health. */
  async xidEvents(entries: BatchEntry<Attributed<XidEventRecord>>[]): Promise<void> {
    const ofKnownGpus = entries.filter((entry) => this.isOfKnownGpu(entry));
    const inserted = await this.insertXidEvents(
      ofKnownGpus.map(({ record }) => ({ ...record, message: record.message ?? '' })),
    );
    for (const entry of ofKnownGpus) {
      const { record } = entry;
      if (!inserted.delete(`${record.gpu_id} ${record.at} ${record.code}`)) {
        this.outcomes.known(entry);
        continue;
      }
      const state = this.states.get(record.gpu_id) as GpuState;
      state.facts = observeXid(state.facts, record.at, record.code);
      if (record.at > (state.latest.xid_reported_at ?? '')) state.latest.xid_reported_at = record.at;
      this.states.touch(state);
      this.outcomes.wrote(entry);
    }
  }

  /** `gpu_process` records: the later sighting wins. */
  async processes(entries: BatchEntry<Attributed<GpuProcessRecord>>[]): Promise<void> {
    const ofKnownGpus = entries.filter((entry) => this.isOfKnownGpu(entry));
    // One statement may not touch a row twice: of several sightings in a batch the newest stands for all.
    const newest = new Map<string, GpuProcessRecord>();
    for (const { record } of ofKnownGpus) {
      const key = `${record.gpu_id} ${record.pid} ${record.started_at}`;
      if (record.at >= (newest.get(key)?.at ?? '')) newest.set(key, record);
    }
    const written = await this.connection.query<{ gpu_id: string; pid: number; started_at: Date }>(
      `INSERT INTO fleet.gpu_processes AS known (customer_id, gpu_id, pid, started_at, name, description, usage_category,
         gpu_utilization_pct, memory_used_mib, first_seen, last_seen)
       SELECT $1, gpu_id, pid, started_at, coalesce(name, ''), coalesce(description, ''), coalesce(usage_category, ''),
              gpu_utilization_pct, memory_used_mib, at, at
       FROM jsonb_to_recordset($2) AS staged (gpu_id text, pid bigint, started_at timestamptz, name text, description text,
         usage_category text, gpu_utilization_pct real, memory_used_mib real, at timestamptz)
       ON CONFLICT (customer_id, gpu_id, pid, started_at) DO UPDATE SET
         name = excluded.name, description = excluded.description, usage_category = excluded.usage_category,
         gpu_utilization_pct = excluded.gpu_utilization_pct, memory_used_mib = excluded.memory_used_mib,
         last_seen = excluded.last_seen
       WHERE known.last_seen < excluded.last_seen
       RETURNING gpu_id, pid, started_at`,
      [this.customerId, JSON.stringify([...newest.values()])],
    );
    const keys = new Set(written.map((row) => `${row.gpu_id} ${row.pid} ${row.started_at.toISOString()}`));
    for (const entry of ofKnownGpus) {
      const { record } = entry;
      if (keys.has(`${record.gpu_id} ${record.pid} ${record.started_at}`)) this.outcomes.wrote(entry);
      else this.outcomes.known(entry);
    }
  }

  /** Leaves out samples of unknown GPUs, and those that are there already or twice in the batch. */
  private async withoutKnown(
    entries: BatchEntry<Attributed<GpuSampleRecord>>[],
  ): Promise<BatchEntry<Attributed<GpuSampleRecord>>[]> {
    const ofKnownGpus = entries.filter((entry) => this.isOfKnownGpu(entry));
    // A sample newer than all of its GPU cannot be there yet; only the others are looked for.
    const late = ofKnownGpus.filter(
      ({ record }) => record.at <= (this.states.get(record.gpu_id)?.memory.at ?? ''),
    );
    const seen = new Set<string>();
    if (late.length > 0) {
      const rows = await this.connection.query<{ gpu_id: string; at: Date }>(
        `SELECT s.gpu_id, s.at FROM unnest($2::text[], $3::timestamptz[]) AS wanted (gpu_id, at)
         JOIN fleet.gpu_samples s ON s.customer_id = $1 AND s.gpu_id = wanted.gpu_id AND s.at = wanted.at`,
        [this.customerId, late.map(({ record }) => record.gpu_id), late.map(({ record }) => record.at)],
      );
      for (const row of rows) seen.add(`${row.gpu_id} ${row.at.toISOString()}`);
    }
    return ofKnownGpus.filter((entry) => {
      const key = `${entry.record.gpu_id} ${entry.record.at}`;
      if (seen.has(key)) {
        this.outcomes.known(entry);
        return false;
      }
      seen.add(key);
      return true;
    });
  }

  private isOfKnownGpu(
    entry: BatchEntry<Attributed<GpuSampleRecord | XidEventRecord | GpuProcessRecord>>,
  ): boolean {
    if (this.states.get(entry.record.gpu_id)) return true;
    this.outcomes.reject(entry, UNKNOWN_GPU);
    return false;
  }

  private sampleRow(record: GpuSampleRecord): CopyValue[] {
    return [
      this.customerId,
      record.gpu_id,
      record.at,
      record.utilization_pct ?? null,
      record.memory_used_mib ?? null,
      record.memory_total_mib ?? null,
      record.temperature_c ?? null,
      record.power_draw_w ?? null,
      record.power_limit_w ?? null,
      record.fan_pct ?? null,
      record.sm_clock_mhz ?? null,
      record.memory_clock_mhz ?? null,
      record.xid_last_code ?? null,
      record.throttle_reasons ?? null,
      record.ecc_single_bit_total ?? null,
      record.ecc_double_bit_total ?? null,
      record.row_remap_failed ?? null,
      record.row_remap_pending ?? null,
      record.nvlink_errors_total ?? null,
      record.pcie_replays_total ?? null,
    ];
  }

  /** @returns the keys (gpu_id, time, code) of the events that were new */
  private async insertXidEvents(events: XidEventRow[]): Promise<Set<string>> {
    if (events.length === 0) return new Set();
    const rows = await this.connection.query<{ gpu_id: string; at: Date; code: number }>(
      `INSERT INTO fleet.gpu_xid_events (customer_id, gpu_id, at, code, message)
       SELECT $1, gpu_id, at, code, message
       FROM jsonb_to_recordset($2) AS staged (gpu_id text, at timestamptz, code integer, message text)
       ON CONFLICT (customer_id, gpu_id, at, code) DO NOTHING
       RETURNING gpu_id, at, code`,
      [this.customerId, JSON.stringify(events)],
    );
    return new Set(rows.map((row) => `${row.gpu_id} ${row.at.toISOString()} ${row.code}`));
  }
}

interface XidEventRow {
  gpu_id: string;
  at: string;
  code: number;
  message: string;
}

import { observeXid } from '../../model/health/observe-xid.ts';
import { xidEntry } from '../../model/health/xid-catalog.ts';
import { SAMPLES_PER_HALF_HOUR } from '../records/limits.ts';
import type { Attributed, GpuReadings, GpuSampleRecord, XidEventRecord } from '../records/records.ts';
import type { BatchEntry, Outcomes } from './batch.ts';
import { addCriticalXid } from './crash-chain.ts';
import { dayOf, GpuDay } from './gpu-day.ts';
import { addReadings, observeMetrics } from './gpu-metrics.ts';
import { differingReading, gpuSampleKey, insertGpuSamples, readGpuSamples } from './gpu-samples.ts';
import { applySample, DEFAULT_REPORT_INTERVAL_SECONDS, gpuOwner, type GpuState } from './gpu-state.ts';
import type { GpuStates } from './gpu-states.ts';
import type { ImportConnection } from './import-connection.ts';
import type { MetricDays } from './rollups/metric-days.ts';
import type { Things } from './entities/entity-cache.ts';
import { insertXidEvents, type XidEventRow, xidEventKey } from './xid-events.ts';

type SampleEntry = BatchEntry<Attributed<GpuSampleRecord>>;
type XidEntry = BatchEntry<Attributed<XidEventRecord>>;

/** After every RFC 3339 time, as text. */
const END_OF_TIME = '~';

/**
 * Writes the `gpu_sample` and `xid_event` records of one batch: raw rows, the days' sums, latest readings, what they say
 * of health and of metrics. They are judged in the order they came, which for a stream in the order of time does not depend
 * on where a batch ends.
 */
export class ReadingWriter {
  private readonly ahead = new Map<string, XidEntry[]>();

  constructor(
    private readonly connection: ImportConnection,
    private readonly customerId: number,
    private readonly states: GpuStates,
    private readonly rollups: { days: MetricDays; things: Things },
    private readonly outcomes: Outcomes,
  ) {}

  /** @param entries of known GPUs, in the order they came */
  async readings(entries: (SampleEntry | XidEntry)[]): Promise<void> {
    if (entries.length === 0) return;
    const fresh = await this.withoutKnown(entries.filter(isSample));
    await this.states.loadDays(
      fresh.map(({ record }) => ({ gpuId: record.gpu_id, dayMs: dayOf(Date.parse(record.at)) })),
    );
    const counted = new Set(fresh.filter((entry) => this.count(entry)));
    await insertGpuSamples(
      this.connection,
      this.customerId,
      [...counted].map(({ record }) => record),
    );
    const events = entries.filter((entry) => !isSample(entry)) as XidEntry[];
    const inserted = await this.insertXids(
      events.map(({ record }) => ({ ...record, message: record.message ?? '' })),
    );
    const seen: XidEventRow[] = [];
    for (const entry of entries) {
      const { gpu_id, at } = entry.record;
      if (!isSample(entry)) this.await(entry, inserted);
      else if (counted.has(entry)) {
        this.judgeAwaited(gpu_id, at, inserted);
        const code = this.judgeSample(entry);
        if (code !== null) seen.push({ gpu_id, at, code, message: '' });
      }
    }
    for (const gpuId of [...this.ahead.keys()]) this.judgeAwaited(gpuId, END_OF_TIME, inserted);
    await this.insertXids(seen);
  }

  /** An event that is ahead of its GPU's samples is judged after those that it follows. */
  private await(entry: XidEntry, inserted: Set<string>): void {
    const { gpu_id, at } = entry.record;
    if (at <= (this.states.get(gpu_id)?.memory.at ?? '')) this.judgeXid(entry, inserted);
    else this.ahead.set(gpu_id, [...(this.ahead.get(gpu_id) ?? []), entry]);
  }

  private judgeAwaited(gpuId: string, until: string, inserted: Set<string>): void {
    const ahead = this.ahead.get(gpuId);
    if (ahead === undefined) return;
    const due = ahead.filter(({ record }) => record.at < until);
    this.ahead.set(
      gpuId,
      ahead.filter((entry) => !due.includes(entry)),
    );
    for (const entry of due.sort(byTime)) this.judgeXid(entry, inserted);
  }

  /** Adds a sample to its day. */
  private count(entry: SampleEntry): boolean {
    const { record } = entry;
    const atMs = Date.parse(record.at);
    const day = this.states.getDay(record.gpu_id, dayOf(atMs)) ?? new GpuDay(dayOf(atMs));
    if (!day.add(atMs, record)) {
      this.outcomes.reject(entry, `there are ${SAMPLES_PER_HALF_HOUR} samples of this GPU in this half hour`);
      return false;
    }
    this.states.touchDay(record.gpu_id, day);
    const owner = gpuOwner(this.states.get(record.gpu_id) as GpuState);
    addReadings(this.rollups.days.at(owner, atMs), record);
    return true;
  }

  /** @returns the code of an XID event that happened by this sample */
  private judgeSample(entry: SampleEntry): number | null {
    const { record } = entry;
    const { at } = record;
    const state = this.states.get(record.gpu_id) as GpuState;
    const owner = gpuOwner(state);
    const { at: previousAt } = state.memory;
    if (previousAt === undefined || at > previousAt) {
      const reportIntervalSeconds =
        state.inventory.report_interval_seconds ?? DEFAULT_REPORT_INTERVAL_SECONDS;
      state.metrics = observeMetrics(
        state.metrics,
        { owner, at, readings: record, previousAt, facts: state.facts, reportIntervalSeconds },
        this.rollups.days,
      );
    }
    const code = applySample(state, at, record);
    if (code !== null) this.chain(state, at, code);
    this.rollups.things.seeOwner(state.inventory.hostname, at, owner);
    this.states.touch(state);
    this.outcomes.wrote(entry);
    return code;
  }

  private judgeXid(entry: XidEntry, inserted: Set<string>): void {
    const { record } = entry;
    if (!inserted.delete(xidEventKey(record))) {
      this.outcomes.known(entry);
      return;
    }
    const state = this.states.get(record.gpu_id) as GpuState;
    state.facts = observeXid(state.facts, record.at, record.code, state.memory.resetAt);
    if (record.at > (state.latest.xid_reported_at ?? '')) state.latest.xid_reported_at = record.at;
    this.chain(state, record.at, record.code);
    this.states.touch(state);
    this.outcomes.wrote(entry);
  }

  private chain(state: GpuState, at: string, code: number): void {
    if (xidEntry(code).health === 'critical') state.metrics = addCriticalXid(state.metrics, at, state.facts);
  }

  /** @returns the keys of those that are new, which are counted */
  private async insertXids(events: XidEventRow[]): Promise<Set<string>> {
    const inserted = await insertXidEvents(this.connection, this.customerId, events);
    const uncounted = new Set(inserted);
    for (const event of events) {
      if (!uncounted.delete(xidEventKey(event))) continue;
      const owner = gpuOwner(this.states.get(event.gpu_id) as GpuState);
      this.rollups.days.at(owner, Date.parse(event.at)).count('xid_errors', 1);
    }
    return inserted;
  }

  /** Leaves out samples that are there already or twice in the batch: the same ones are known, different ones refused. */
  private async withoutKnown(entries: SampleEntry[]): Promise<SampleEntry[]> {
    // A sample newer than all of its GPU cannot be there yet; only the others are looked for.
    const late = entries
      .map(({ record }) => record)
      .filter((record) => record.at <= (this.states.get(record.gpu_id)?.memory.at ?? ''));
    const seen: Map<string, GpuReadings> = await readGpuSamples(this.connection, this.customerId, late);
    return entries.filter((entry) => {
      const key = gpuSampleKey(entry.record);
      const known = seen.get(key);
      if (known === undefined) {
        seen.set(key, entry.record);
        return true;
      }
      const reading = differingReading(known, entry.record);
      if (reading === null) this.outcomes.known(entry);
      else {
        this.outcomes.reject(entry, `a sample of this GPU and time is known, with another ${reading}`);
      }
      return false;
    });
  }
}

function byTime(one: XidEntry, other: XidEntry): number {
  return one.record.at < other.record.at ? -1 : Number(one.record.at > other.record.at);
}

function isSample(entry: SampleEntry | XidEntry): entry is SampleEntry {
  return entry.record.kind === 'gpu_sample';
}

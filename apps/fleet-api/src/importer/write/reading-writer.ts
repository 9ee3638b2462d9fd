import { CAUSE_REACH_MS, observeCause, observeXid, withdrawGauge } from '../../model/health/observe-xid.ts';
import { gaugeReachMs } from '../../model/health/xid-incident.ts';
import { causeOfXid } from '../../model/health/xid-variant.ts';
import { dayStart } from '../../model/metrics/time-grains.ts';
import { SAMPLES_PER_HALF_HOUR } from '../records/limits.ts';
import type { Attributed, GpuSampleRecord, XidEventRecord } from '../records/records.ts';
import type { BatchEntry } from './batch.ts';
import type { BatchContext } from './batch-context.ts';
import { addCriticalXid, withdrawCriticalXid } from './crash-chain.ts';
import { GpuDay } from './gpu-day.ts';
import { addReadings, observeMetrics } from './gpu-metrics.ts';
import { insertGpuSamples } from './gpu-samples.ts';
import { DEFAULT_REPORT_INTERVAL_SECONDS } from './gpu-inventory.ts';
import { applySample, type GpuState } from './gpu-state.ts';
import { type SampleEntry, withoutDuplicates } from './new-samples.ts';
import { gaugeEvent, type XidEvent, xidEventOf } from './xid-events.ts';
import type { AlertXid } from './xid-alert.ts';
import { XidIncidents } from './xid-incidents.ts';

type XidEntry = BatchEntry<Attributed<XidEventRecord>>;

/** Sorts after every RFC 3339 time. */
const END_OF_TIME = '~';

/**
 * Writes the `gpu_sample` and `xid_event` records of one batch: raw rows, sums of days, latest readings, health,
 * metrics. Records are applied in their order; for a stream in time order the result does not depend on the batch
 * boundaries.
 */
export class ReadingWriter {
  /** XID events that are newer than the applied samples of their GPU, by GPU id. */
  private readonly pending = new Map<string, XidEntry[]>();
  private readonly incidents: XidIncidents;
  /** The day of the last sample of each GPU. */
  private readonly latestDays = new Map<string, GpuDay>();

  constructor(private readonly batch: BatchContext) {
    this.incidents = new XidIncidents(batch);
  }

  /**
   * Writes readings and XIDs.
   *
   * @param entries records of known GPUs, in their order
   * @returns the XIDs with an alert
   */
  async write(entries: (SampleEntry | XidEntry)[]): Promise<AlertXid[]> {
    if (entries.length === 0) return [];
    const newSamples = await withoutDuplicates(this.batch, entries.filter(isSample));
    await this.batch.gpus.loadDays(
      newSamples.map(({ record }) => ({ gpuId: record.gpu_id, dayMs: dayStart(Date.parse(record.at)) })),
    );
    const events = entries.filter((entry) => !isSample(entry)) as XidEntry[];
    await this.incidents.load([
      ...events.map(({ record }) => xidEventOf(record)),
      ...events.flatMap(({ record }) => causeEvent(record) ?? []),
      ...this.possibleGaugeEvents(newSamples.map(({ record }) => record)),
    ]);
    if (newSamples.length === 0) for (const event of events) this.queueOrObserve(event);
    else {
      const isNew = new Set(newSamples);
      const applied = this.apply(entries.filter((entry) => !isSample(entry) || isNew.has(entry)));
      await insertGpuSamples(this.batch.connection, this.batch.customerId, applied);
    }
    for (const gpuId of [...this.pending.keys()]) this.observePending(gpuId, END_OF_TIME);
    return this.incidents.write();
  }

  /**
   * Applies records in their order.
   *
   * @yields each sample that is to be stored, once it is applied: the database inserts it while the next records are applied
   */
  private *apply(entries: (SampleEntry | XidEntry)[]): Generator<GpuSampleRecord> {
    for (const entry of entries) {
      if (!isSample(entry)) this.queueOrObserve(entry);
      else if (this.addToDay(entry)) {
        this.observePending(entry.record.gpu_id, entry.record.at);
        this.observeSample(entry);
        yield entry.record;
      }
    }
  }

  /** Applies an event at once, or after the samples before it if it is newer than those applied. */
  private queueOrObserve(entry: XidEntry): void {
    const { gpu_id, at } = entry.record;
    if (at <= (this.batch.gpus.get(gpu_id)?.health_state.at ?? '')) this.observeXid(entry);
    else this.pending.set(gpu_id, [...(this.pending.get(gpu_id) ?? []), entry]);
  }

  private observePending(gpuId: string, until: string): void {
    const pending = this.pending.get(gpuId);
    if (pending === undefined) return;
    const due = pending.filter(({ record }) => record.at < until);
    this.pending.set(
      gpuId,
      pending.filter((entry) => !due.includes(entry)),
    );
    for (const entry of due.sort(byTime)) this.observeXid(entry);
  }

  /** Adds a sample to its day. @returns false when the half hour is full and the sample is rejected */
  private addToDay(entry: SampleEntry): boolean {
    const { record } = entry;
    const atMs = Date.parse(record.at);
    const startMs = dayStart(atMs);
    let day = this.latestDays.get(record.gpu_id);
    const isTouched = day?.startMs === startMs;
    if (day === undefined || !isTouched)
      day = this.batch.gpus.getDay(record.gpu_id, startMs) ?? new GpuDay(startMs);
    if (!day.add(atMs, record)) {
      this.batch.outcomes.reject(
        entry,
        `there are already ${SAMPLES_PER_HALF_HOUR} samples of this GPU in this half hour`,
      );
      return false;
    }
    if (!isTouched) {
      this.batch.gpus.touchDay(record.gpu_id, day);
      this.latestDays.set(record.gpu_id, day);
    }
    const state = this.batch.gpus.get(record.gpu_id) as GpuState;
    addReadings(this.batch.days.at(state, atMs), record);
    return true;
  }

  private observeSample(entry: SampleEntry): void {
    const { record } = entry;
    const { gpu_id, at } = record;
    const state = this.batch.gpus.get(gpu_id) as GpuState;
    const { at: previousAt } = state.health_state;
    const reportIntervalSeconds = state.report_interval_seconds ?? DEFAULT_REPORT_INTERVAL_SECONDS;
    if (previousAt === undefined || at > previousAt) {
      state.metric_state = observeMetrics(
        state.metric_state,
        {
          owner: state,
          at,
          readings: record,
          previousAt,
          signals: state.health_signals,
          reportIntervalSeconds,
        },
        this.batch.days,
      );
    }
    const code = applySample(this.batch.xidCatalog, state, record);
    if (code !== null) {
      const event = gaugeEvent(gpu_id, at, code, gaugeReachMs(reportIntervalSeconds));
      this.incidents.add(event, record);
      const driver = this.incidents.driverOf(event);
      if (driver !== undefined) state.health_signals = withdrawGauge(state.health_signals, driver);
      else if (this.batch.xidCatalog.entry(code).health === 'critical')
        state.metric_state = addCriticalXid(
          state.metric_state,
          { at, code, reachMs: event.reach_ms },
          state.health_signals,
        );
    }
    this.batch.entities.recordHostSeen(state.hostname, at, state);
    this.batch.gpus.touch(state);
    this.batch.outcomes.wrote(entry);
  }

  private observeXid(entry: XidEntry): void {
    const { record } = entry;
    const { at, code, message } = record;
    if (!this.incidents.add(xidEventOf(record), record)) {
      this.batch.outcomes.duplicate(entry);
      return;
    }
    const state = this.batch.gpus.get(record.gpu_id) as GpuState;
    state.health_signals = withdrawGauge(state.health_signals, record);
    state.health_signals = observeXid(
      this.batch.xidCatalog,
      state.health_signals,
      record,
      state.health_state.resetAt,
    );
    const cause = causeEvent(record);
    if (cause !== null && this.incidents.driverOf(cause) === undefined)
      state.health_signals = observeCause(
        this.batch.xidCatalog,
        state.health_signals,
        { at, code: cause.code, causeOf: code },
        state.health_state.resetAt,
      );
    state.metric_state = withdrawCriticalXid(state.metric_state, record);
    if (at > (state.latest.xid_reported_at ?? '')) state.latest.xid_reported_at = at;
    if (this.batch.xidCatalog.entry(code, message).health === 'critical')
      state.metric_state = addCriticalXid(state.metric_state, { at, code }, state.health_signals);
    this.batch.gpus.touch(state);
    this.batch.outcomes.wrote(entry);
  }

  /** Returns an event for each sample in which the gauge may show a new code. Some of them turn out to be older samples. */
  private possibleGaugeEvents(samples: GpuSampleRecord[]): XidEvent[] {
    const codes = new Map<string, number | undefined>();
    return samples.flatMap(({ gpu_id, at, xid_last_code: code }) => {
      if (code == null) return [];
      const { health_state, report_interval_seconds } = this.batch.gpus.get(gpu_id) as GpuState;
      const before = codes.has(gpu_id) ? codes.get(gpu_id) : health_state.xidLastCode;
      codes.set(gpu_id, code);
      const reachMs = gaugeReachMs(report_interval_seconds ?? DEFAULT_REPORT_INTERVAL_SECONDS);
      return code === 0 || code === before ? [] : [gaugeEvent(gpu_id, at, code, reachMs)];
    });
  }
}

/** Returns the XID that caused this one as an event like that of a gauge, which has a code and no message. */
function causeEvent({ gpu_id, at, code, message = '' }: XidEventRecord): XidEvent | null {
  const cause = causeOfXid(code, message);
  return cause === null ? null : gaugeEvent(gpu_id, at, cause, CAUSE_REACH_MS);
}

function byTime(a: XidEntry, b: XidEntry): number {
  return a.record.at < b.record.at ? -1 : Number(a.record.at > b.record.at);
}

function isSample(entry: SampleEntry | XidEntry): entry is SampleEntry {
  return entry.record.kind === 'gpu_sample';
}

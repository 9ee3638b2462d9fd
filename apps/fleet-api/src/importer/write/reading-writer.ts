import { observeCause, observeXid, removeProvisional } from '../../model/health/observe-xid.ts';
import { gaugeReachMs } from '../../model/health/xid-incident.ts';
import { dayStart } from '../../model/metrics/time-grains.ts';
import { SAMPLES_PER_HALF_HOUR } from '../records/limits.ts';
import type { Attributed, GpuSampleRecord, XidEventRecord } from '../records/records.ts';
import type { BatchEntry } from './batch.ts';
import type { BatchContext } from './batch-context.ts';
import { addCriticalXid, removeGaugeXids } from './crash-chain.ts';
import { GpuDay } from './gpu-day.ts';
import { addReadings, observeMetrics } from './gpu-metrics.ts';
import { insertGpuSamples, readingsOf } from './gpu-samples.ts';
import { DEFAULT_REPORT_INTERVAL_SECONDS } from './gpu-inventory.ts';
import { applySample, type GpuState } from './gpu-state.ts';
import { type SampleEntry, withoutDuplicates } from './new-samples.ts';
import { causeEvent, gaugeEvent, possibleGaugeEvents, type XidEvent, xidEventOf } from './xid-event.ts';
import type { TimelineXid } from './xid-alert.ts';
import { XidIncidents } from './xid-incidents.ts';

export type XidEntry = BatchEntry<Attributed<XidEventRecord>>;

/** Upper bound that every RFC 3339 time sorts before. */
const END_OF_TIME = '~';

/**
 * Writes the `gpu_sample` and `xid_event` records of a batch: sample rows, day sums, latest readings, health and metrics. Records
 * are applied in input order. If a stream is in time order, the result does not depend on how it is split into batches.
 */
export class ReadingWriter {
  /** XID events newer than the last applied sample of their GPU, by GPU id. They wait for the samples before them. */
  private readonly queuedXids = new Map<string, XidEntry[]>();
  private readonly incidents: XidIncidents;
  /** Day of the last applied sample of each GPU, to skip a lookup for the next one. */
  private readonly latestDays = new Map<string, GpuDay>();

  constructor(private readonly context: BatchContext) {
    this.incidents = new XidIncidents(context);
  }

  /**
   * Writes readings and XIDs.
   *
   * @param entries records of known GPUs, in their order
   * @returns the XIDs with an alert
   */
  async write(entries: (SampleEntry | XidEntry)[]): Promise<TimelineXid[]> {
    if (entries.length === 0) return [];
    const newSamples = await withoutDuplicates(this.context, entries.filter(isSample));
    await this.context.gpus.loadDays(
      newSamples.map(({ record }) => ({ gpuId: record.gpu_id, dayMs: dayStart(Date.parse(record.at)) })),
    );
    const newSampleRecords = newSamples.map(({ record }) => record);
    const events = entries.filter(isXid);
    await this.incidents.load([
      ...events.map(({ record }) => xidEventOf(record)),
      ...events.flatMap(({ record }) => causeEvent(record) ?? []),
      ...possibleGaugeEvents(this.context.gpus, newSampleRecords),
    ]);
    if (newSamples.length === 0) {
      // Without samples there is nothing to copy.
      for (const event of events) this.queueOrObserve(event);
    } else {
      const newEntries = new Set(newSamples);
      const newRecords = entries.filter((entry) => !isSample(entry) || newEntries.has(entry));
      // Lazy: COPY pulls each sample, which applies the records up to it.
      const samplesToStore = this.applyAndYieldSamples(newRecords);
      await insertGpuSamples(this.context.connection, readingsOf(newSampleRecords), samplesToStore);
    }
    for (const gpuId of [...this.queuedXids.keys()]) this.observeQueuedXids(gpuId, END_OF_TIME);
    return this.incidents.write();
  }

  /**
   * Applies records in order and yields each sample to store. It is a generator, so that COPY sends samples while the next records
   * are applied.
   */
  private *applyAndYieldSamples(entries: (SampleEntry | XidEntry)[]): Generator<Attributed<GpuSampleRecord>> {
    for (const entry of entries) {
      if (!isSample(entry)) {
        this.queueOrObserve(entry);
        continue;
      }
      const atMs = Date.parse(entry.record.at);
      if (!this.addToDay(entry, atMs)) continue;
      this.observeQueuedXids(entry.record.gpu_id, entry.record.at);
      this.observeSample(entry, atMs);
      yield entry.record;
    }
  }

  /** Applies an event. If it is newer than the applied samples of its GPU, it is queued until the samples before it are applied. */
  private queueOrObserve(entry: XidEntry): void {
    const { gpu_id, at } = entry.record;
    if (at <= (this.context.gpus.get(gpu_id)?.health_state.at ?? '')) this.observeXid(entry);
    else this.queuedXids.set(gpu_id, [...(this.queuedXids.get(gpu_id) ?? []), entry]);
  }

  /** Applies the queued events of a GPU that are earlier than `before`, in time order. */
  private observeQueuedXids(gpuId: string, before: string): void {
    const queued = this.queuedXids.get(gpuId);
    if (queued === undefined) return;
    const { due = [], later = [] } = Object.groupBy(queued, ({ record }) =>
      record.at < before ? 'due' : 'later',
    );
    this.queuedXids.set(gpuId, later);
    for (const entry of due.sort(byTime)) this.observeXid(entry);
  }

  /** Adds a sample to its day. @returns false when the half hour is full and the sample is rejected */
  private addToDay(entry: SampleEntry, atMs: number): boolean {
    const { record } = entry;
    const startMs = dayStart(atMs);
    let day = this.latestDays.get(record.gpu_id);
    const isLatestDay = day?.startMs === startMs;
    if (day === undefined || !isLatestDay)
      day = this.context.gpus.getDay(record.gpu_id, startMs) ?? new GpuDay(startMs);
    if (!day.add(atMs, record)) {
      this.context.outcomes.recordRejected(
        entry,
        `there are already ${SAMPLES_PER_HALF_HOUR} samples of this GPU in this half hour`,
      );
      return false;
    }
    if (!isLatestDay) {
      this.context.gpus.touchDay(record.gpu_id, day);
      this.latestDays.set(record.gpu_id, day);
    }
    return true;
  }

  private observeSample(entry: SampleEntry, atMs: number): void {
    const { record } = entry;
    const { gpu_id, at } = record;
    const state = this.context.gpus.getKnown(gpu_id);
    addReadings(this.context.metricDays.dayOf(state, atMs), record);
    const { at: previousAt } = state.health_state;
    const reportIntervalSeconds = state.report_interval_seconds ?? DEFAULT_REPORT_INTERVAL_SECONDS;
    // A late sample does not change the metrics that compare consecutive samples.
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
        this.context.metricDays,
      );
    }
    const code = applySample(this.context.xidCatalog, state, record);
    if (code !== null)
      this.observeGauge(state, gaugeEvent(gpu_id, at, code, gaugeReachMs(reportIntervalSeconds)), record);
    this.context.entities.recordHostSeen(state.hostname, at, state);
    this.context.gpus.touch(state);
    this.context.outcomes.recordWritten(entry);
  }

  /** Records an XID that a gauge reports. If a driver line reports the same XID, that line determines health instead. */
  private observeGauge(state: GpuState, event: XidEvent, record: Attributed<GpuSampleRecord>): void {
    this.incidents.add(event, record);
    const { at, code, reach_ms: reachMs } = event;
    const driverEvent = this.incidents.driverEventOf(event);
    if (driverEvent !== undefined)
      state.health_signals = removeProvisional(state.health_signals, driverEvent);
    else if (this.context.xidCatalog.entry(code).health === 'critical')
      state.metric_state = addCriticalXid(state.metric_state, { at, code, reachMs }, state.health_signals);
  }

  private observeXid(entry: XidEntry): void {
    const { record } = entry;
    const { at, code, message } = record;
    if (!this.incidents.add(xidEventOf(record), record)) {
      this.context.outcomes.recordDuplicate(entry);
      return;
    }
    const state = this.context.gpus.getKnown(record.gpu_id);
    this.applyXidSignals(state, record);
    state.metric_state = removeGaugeXids(state.metric_state, record);
    if (at > (state.latest.xid_reported_at ?? '')) state.latest.xid_reported_at = at;
    if (this.context.xidCatalog.entry(code, message).health === 'critical')
      state.metric_state = addCriticalXid(state.metric_state, { at, code }, state.health_signals);
    this.context.gpus.touch(state);
    this.context.outcomes.recordWritten(entry);
  }

  /** Updates the health signals of a GPU for an XID and for the XID that caused it. */
  private applyXidSignals(state: GpuState, record: XidEventRecord): void {
    state.health_signals = removeProvisional(state.health_signals, record);
    state.health_signals = observeXid(
      this.context.xidCatalog,
      state.health_signals,
      record,
      state.health_state.resetAt,
    );
    const cause = causeEvent(record);
    if (cause !== null && this.incidents.driverEventOf(cause) === undefined)
      state.health_signals = observeCause(
        this.context.xidCatalog,
        state.health_signals,
        { at: record.at, code: cause.code, causeOf: record.code },
        state.health_state.resetAt,
      );
  }
}

function byTime(a: XidEntry, b: XidEntry): number {
  return a.record.at < b.record.at ? -1 : Number(a.record.at > b.record.at);
}

function isSample(entry: SampleEntry | XidEntry): entry is SampleEntry {
  return entry.record.kind === 'gpu_sample';
}

function isXid(entry: SampleEntry | XidEntry): entry is XidEntry {
  return !isSample(entry);
}

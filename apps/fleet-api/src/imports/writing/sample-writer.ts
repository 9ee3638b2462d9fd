import { SAMPLES_PER_HALF_HOUR } from '../records/limits.ts';
import type { Attributed, GpuReadings, GpuSampleRecord } from '../records/records.ts';
import type { BatchEntry, Outcomes } from './batch.ts';
import { dayOf, GpuDay } from './gpu-day.ts';
import { differingReading, gpuSampleKey, insertGpuSamples, readGpuSamples } from './gpu-samples.ts';
import { applySample, type GpuState } from './gpu-state.ts';
import type { GpuStates } from './gpu-states.ts';
import type { ImportConnection } from './import-connection.ts';
import { insertXidEvents, type XidEventRow } from './xid-events.ts';

type SampleEntry = BatchEntry<Attributed<GpuSampleRecord>>;

/** Writes the `gpu_sample` records of one batch: raw samples, the days' sums, latest readings, what they say of health. */
export class SampleWriter {
  constructor(
    private readonly connection: ImportConnection,
    private readonly customerId: number,
    private readonly states: GpuStates,
    private readonly outcomes: Outcomes,
  ) {}

  /** @param entries of known GPUs */
  async samples(entries: SampleEntry[]): Promise<void> {
    const fresh = await this.withoutKnown(entries);
    await this.states.loadDays(
      fresh.map(({ record }) => ({ gpuId: record.gpu_id, dayMs: dayOf(Date.parse(record.at)) })),
    );
    const counted = fresh.filter((entry) => this.count(entry));
    await insertGpuSamples(
      this.connection,
      this.customerId,
      counted.map(({ record }) => record),
    );
    const xidEvents: XidEventRow[] = [];
    for (const entry of counted) {
      const { record } = entry;
      const state = this.states.get(record.gpu_id) as GpuState;
      const code = applySample(state, record.at, record);
      if (code !== null) xidEvents.push({ gpu_id: record.gpu_id, at: record.at, code, message: '' });
      this.states.touch(state);
      this.outcomes.wrote(entry);
    }
    await insertXidEvents(this.connection, this.customerId, xidEvents);
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
    return true;
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

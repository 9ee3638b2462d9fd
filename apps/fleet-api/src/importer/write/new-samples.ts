import type { GpuReadings } from '../records/gpu-readings.ts';
import type { Attributed, GpuSampleRecord } from '../records/records.ts';
import type { BatchEntry } from './batch.ts';
import type { BatchContext } from './batch-context.ts';
import { differingReading, gpuSampleKey, readGpuSamples } from './gpu-samples.ts';

export type SampleEntry = BatchEntry<Attributed<GpuSampleRecord>>;

/**
 * Filters out samples that are stored or repeated in the batch: equal ones are duplicates, different ones are rejected.
 *
 * @param entries samples of known GPUs, in their order
 */
export async function withoutDuplicates(
  context: BatchContext,
  entries: SampleEntry[],
): Promise<SampleEntry[]> {
  if (areInOrder(context, entries)) return entries;
  // A sample that is newer than all samples of its GPU cannot be stored yet.
  const late = entries
    .map(({ record }) => record)
    .filter(({ gpu_id, at }) => at <= newestAt(context, gpu_id));
  const known: Map<string, GpuReadings> = await readGpuSamples(context.connection, context.customerId, late);
  return entries.filter((entry) => {
    const key = gpuSampleKey(entry.record);
    const before = known.get(key);
    if (before === undefined) {
      known.set(key, entry.record);
      return true;
    }
    const reading = differingReading(before, entry.record);
    if (reading === null) context.outcomes.recordDuplicate(entry);
    else {
      context.outcomes.recordRejected(
        entry,
        `a sample of this GPU and time is already stored with a different ${reading}`,
      );
    }
    return false;
  });
}

/** Returns whether each sample is newer than all samples of its GPU before it. */
function areInOrder(context: BatchContext, entries: SampleEntry[]): boolean {
  const newest = new Map<string, string>();
  return entries.every(({ record: { gpu_id, at } }) => {
    const before = newest.get(gpu_id) ?? newestAt(context, gpu_id);
    newest.set(gpu_id, at);
    return at > before;
  });
}

/** Returns the time of the newest stored sample of a GPU; empty without samples. */
function newestAt({ gpus }: BatchContext, gpuId: string): string {
  return gpus.get(gpuId)?.health_state.at ?? '';
}

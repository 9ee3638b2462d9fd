import type { RecordKind } from '../records/record-schemas.ts';
import type {
  Attributed,
  GpuDayRecord,
  GpuProcessRecord,
  GpuRecord,
  GpuSampleRecord,
  XidEventRecord,
} from '../records/records.ts';
import type { BatchEntry } from './batch.ts';
import type { GpuCache } from './gpu-cache.ts';
import { applyInventory, changesInventory, type GpuState, newGpu } from './gpu-state.ts';

/** Kinds that a segment writes before its samples, also before those that precede the record in the input. */
const OVERTAKING_KINDS: ReadonlySet<RecordKind> = new Set<RecordKind>(['gpu', 'gpu_day', 'host_day']);

/**
 * Splits the records of a batch into segments. A segment is written kind by kind (`gpu` first, days before samples), so the order
 * of its records is lost. A new segment starts before a record that must not affect earlier readings:
 * - a `gpu` record that changes the owner or inventory of a GPU with readings in the segment,
 * - a `gpu_day` or `host_day` record of a day with samples in the segment.
 *
 * The result is therefore independent of how records are split into batches.
 *
 * @param gpus contains the stored GPUs of all `gpu` records
 */
export function segmentsOf(entries: BatchEntry[], gpus: Pick<GpuCache, 'get'>): BatchEntry[][] {
  if (!entries.some(({ record }) => OVERTAKING_KINDS.has(record.kind))) return [entries];
  let segment: BatchEntry[] = [];
  const segments = [segment];
  const inventories = new GpuInventories(gpus);
  /** GPUs with readings in the current segment. */
  let gpusWithReadings = new Set<string>();
  /** Days of GPUs and hosts with samples in the current segment, by `dayKey`. */
  let daysWithSamples = new Set<string>();
  for (const entry of entries) {
    const { record } = entry;
    // Every `gpu` record must be applied, also where no segment starts.
    const changedGpu = record.kind === 'gpu' && inventories.apply(record) ? record.gpu_id : null;
    const startsSegment =
      (changedGpu !== null && gpusWithReadings.has(changedGpu)) ||
      (record.kind === 'gpu_day' && daysWithSamples.has(dayKey(record.gpu_id, record.day))) ||
      (record.kind === 'host_day' && daysWithSamples.has(dayKey(record.hostname, record.day)));
    if (startsSegment) {
      segment = [];
      segments.push(segment);
      gpusWithReadings = new Set();
      daysWithSamples = new Set();
    }
    segment.push(entry);
    if (record.kind === 'host_sample') daysWithSamples.add(dayKey(record.hostname, record.at));
    if (record.kind === 'gpu_sample') daysWithSamples.add(dayKey(record.gpu_id, record.at));
    if (isReading(record)) gpusWithReadings.add(record.gpu_id);
  }
  return segments;
}

type Reading = GpuSampleRecord | GpuDayRecord | XidEventRecord | GpuProcessRecord;

/** Returns whether the rows of a record depend on the owner or inventory of its GPU. */
function isReading(record: Attributed): record is Attributed<Reading> {
  const { kind } = record;
  return kind === 'gpu_sample' || kind === 'gpu_day' || kind === 'xid_event' || kind === 'gpu_process';
}

/** @param at RFC 3339 UTC, or the date alone */
function dayKey(id: string, at: string): string {
  return `${at.slice(0, 'YYYY-MM-DD'.length)} ${id}`;
}

/** The GPUs of a batch, to which its `gpu` records are applied one after the other. */
class GpuInventories {
  private readonly changed = new Map<string, GpuState>();

  constructor(private readonly stored: Pick<GpuCache, 'get'>) {}

  /** Applies a `gpu` record. @returns whether it changes the owner or inventory of a GPU that is stored or earlier in the batch */
  apply(record: Attributed<GpuRecord>): boolean {
    const { gpu_id, workspace_id } = record;
    if (workspace_id === null) return false;
    const known = this.changed.get(gpu_id) ?? this.stored.get(gpu_id);
    const owner = { workspace_id, api_key_id: record.api_key_id ?? known?.api_key_id ?? null };
    const before = known ?? newGpu(record, owner);
    if (!changesInventory(before, record, owner)) return false;
    const after = { ...before };
    applyInventory(after, record, owner);
    this.changed.set(gpu_id, after);
    return known !== null;
  }
}

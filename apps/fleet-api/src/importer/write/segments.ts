import type { RecordKind } from '../records/record-schemas.ts';
import type { Attributed, GpuRecord } from '../records/records.ts';
import type { BatchEntry } from './batch.ts';
import type { GpuCache } from './gpu-cache.ts';
import { applyInventory, changesInventory, type GpuState, newGpu } from './gpu-state.ts';

/** Kinds that a batch writes before the readings that precede them. */
const OVERTAKING_KINDS: ReadonlySet<RecordKind> = new Set<RecordKind>(['gpu', 'gpu_day', 'host_day']);

/**
 * Splits the records of a batch, which writes them kind by kind, where a later record must not affect earlier readings: before a
 * `gpu` record that changes the owner or the inventory of a GPU with readings, and before the day of a GPU or host with samples of
 * that day. So the result does not depend on the boundaries of batches.
 *
 * @param gpus contains the stored GPUs of all `gpu` records
 */
export function segmentsOf(entries: BatchEntry[], gpus: Pick<GpuCache, 'get'>): BatchEntry[][] {
  if (!entries.some(({ record }) => OVERTAKING_KINDS.has(record.kind))) return [entries];
  const segments: BatchEntry[][] = [[]];
  const inventories = new Inventories(gpus);
  /** GPUs with records in the last segment that a later inventory must not affect. */
  let measuredGpus = new Set<string>();
  /** Days of GPUs and hosts with samples in the last segment, by `dayKey`. */
  let measuredDays = new Set<string>();
  for (const entry of entries) {
    const { record } = entry;
    const wouldOvertake =
      (record.kind === 'gpu' && inventories.apply(record) && measuredGpus.has(record.gpu_id)) ||
      (record.kind === 'gpu_day' && measuredDays.has(dayKey(record.gpu_id, record.day))) ||
      (record.kind === 'host_day' && measuredDays.has(dayKey(record.hostname, record.day)));
    if (wouldOvertake) {
      segments.push([]);
      measuredGpus = new Set();
      measuredDays = new Set();
    }
    (segments.at(-1) as BatchEntry[]).push(entry);
    if (record.kind === 'host_sample') measuredDays.add(dayKey(record.hostname, record.at));
    if (record.kind === 'gpu_sample') measuredDays.add(dayKey(record.gpu_id, record.at));
    if (
      record.kind === 'gpu_sample' ||
      record.kind === 'gpu_day' ||
      record.kind === 'xid_event' ||
      record.kind === 'gpu_process'
    )
      measuredGpus.add(record.gpu_id);
  }
  return segments;
}

/** @param at RFC 3339 UTC, or the date alone */
function dayKey(id: string, at: string): string {
  return `${at.slice(0, 'YYYY-MM-DD'.length)} ${id}`;
}

/** The GPUs of a batch, to which its `gpu` records are applied one after the other. */
class Inventories {
  private readonly changed = new Map<string, GpuState>();

  constructor(private readonly stored: Pick<GpuCache, 'get'>) {}

  /** Applies a record. @returns whether it changes a GPU that was known before */
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

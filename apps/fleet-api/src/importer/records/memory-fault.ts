import type { ImportRecord } from './records.ts';

/**
 * Why a record's memory readings cannot all be right, or null: a GPU does not use more memory than it has, and the share
 * that it uses is averaged over the fleet.
 */
export function memoryFault(record: ImportRecord): string | null {
  if (record.kind !== 'gpu_sample' && record.kind !== 'gpu_day') return null;
  const { memory_used_mib: used, memory_total_mib: total } = record;
  if (typeof total !== 'number') return null;
  const most = Array.isArray(used) ? Math.max(...used.map((mean) => mean ?? 0)) : (used ?? 0);
  return most > total ? `memory_used_mib (${most}) should be at most memory_total_mib (${total})` : null;
}

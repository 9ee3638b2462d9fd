import type { ImportRecord } from './records.ts';

/**
 * Returns a fault if the used memory of a record exceeds its total memory, else null. The share of used memory is averaged over
 * the fleet, so one wrong reading would distort it.
 */
export function memoryFault(record: ImportRecord): string | null {
  if (record.kind !== 'gpu_sample' && record.kind !== 'gpu_day') return null;
  const { memory_used_mib: used, memory_total_mib: total } = record;
  if (typeof total !== 'number') return null;
  const maxUsed = Array.isArray(used) ? Math.max(...used.map((mean) => mean ?? 0)) : (used ?? 0);
  return maxUsed > total ? `memory_used_mib (${maxUsed}) must be at most memory_total_mib (${total})` : null;
}

import type { Gpu, Health } from '../data/queries.ts';
import { HEALTHS } from '../parts/marks.tsx';
import type { Search } from '../search.ts';
import { filterGpus, type GPU_FACETS } from './fleet-filters.ts';

/** Returns how many GPUs have each value of a facet: the most urgent health, or the most frequent value, first. */
export function facetCounts(
  gpus: Gpu[],
  search: Search,
  workspaces: Map<number, string>,
  [name, , valueOf]: (typeof GPU_FACETS)[number],
): { value: string; count: number }[] {
  const counts = new Map<string, number>();
  for (const gpu of filterGpus(gpus, search, workspaces, name)) {
    const value = valueOf(gpu, workspaces);
    counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  const list = [...counts].map(([value, count]) => ({ value, count }));
  // Health has an order; other values are listed by frequency.
  const rankOf = ({ value }: { value: string }) => HEALTHS.indexOf(value as Health);
  return list.sort((a, b) => (name === 'health' ? rankOf(a) - rankOf(b) : b.count - a.count));
}

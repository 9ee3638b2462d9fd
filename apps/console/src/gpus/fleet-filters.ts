import type { Gpu, Health } from '../data/queries.ts';
import { HEALTHS } from '../parts/marks.tsx';
import type { Search } from '../search.ts';
import { loadOf } from './load.ts';

/** Facets of the view: search parameter, title, and the value of a GPU. */
export const GPU_FACETS = [
  ['health', 'Health', (gpu: Gpu) => gpu.health],
  ['load', 'Load, 24 hours', loadOf],
  ['model', 'Model', (gpu: Gpu) => gpu.model],
  ['driver', 'Driver', (gpu: Gpu) => gpu.driver_version],
  [
    'workspace_name',
    'Workspace',
    (gpu: Gpu, workspaces: Map<number, string>) => workspaceOf(gpu, workspaces),
  ],
] as const;
export type GpuFacet = (typeof GPU_FACETS)[number][0];

function workspaceOf({ workspace_id }: Gpu, workspaces: Map<number, string>): string {
  return workspaces.get(workspace_id) ?? `workspace ${workspace_id}`;
}

/** Returns the GPUs that a search selects. The filter of `except` is ignored, for the counts of that facet. */
export function filterGpus(
  gpus: Gpu[],
  search: Search,
  workspaces: Map<number, string>,
  except?: GpuFacet,
): Gpu[] {
  const text = search.q?.toLowerCase();
  const selections = GPU_FACETS.filter(([name]) => name !== except && search[name]).map(
    ([name, , valueOf]) => [new Set(search[name]?.split(',')), valueOf] as const,
  );
  return gpus.filter(
    (gpu) =>
      selections.every(([values, valueOf]) => values.has(valueOf(gpu, workspaces))) &&
      (text === undefined ||
        [gpu.hostname, gpu.gpu_id, gpu.serial_no, gpu.pcie_address].some((value) =>
          value.toLowerCase().includes(text),
        )),
  );
}

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

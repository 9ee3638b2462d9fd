import type { Gpu } from '../data/queries.ts';
import type { Search } from '../search.ts';

/** Facets of the view: search parameter, title, and the value of a GPU. */
export const GPU_FACETS = [
  ['health', 'Health', (gpu: Gpu) => gpu.health],
  ['model', 'Model', (gpu: Gpu) => gpu.model],
  ['driver', 'Driver', (gpu: Gpu) => gpu.driver_version],
  [
    'workspace_name',
    'Workspace',
    (gpu: Gpu, workspaces: Map<number, string>) => workspaceOf(gpu, workspaces),
  ],
] as const;
export type GpuFacet = (typeof GPU_FACETS)[number][0];

const GPU_SORTS = {
  // The API lists GPUs by health, and those that failed before other missing ones.
  health: () => 0,
  host: (a: Gpu, b: Gpu) => compare(a.hostname, b.hostname),
  model: (a: Gpu, b: Gpu) => compare(a.model, b.model),
  utilization: (a: Gpu, b: Gpu) => descending(a.utilization_pct, b.utilization_pct),
  temperature: (a: Gpu, b: Gpu) => descending(a.temperature_c, b.temperature_c),
  xid: (a: Gpu, b: Gpu) => descending(a.xid_errors, b.xid_errors),
  seen: (a: Gpu, b: Gpu) => compare(b.last_seen, a.last_seen),
};
export type GpuSort = keyof typeof GPU_SORTS;

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

export function sortGpus(gpus: Gpu[], search: Search): Gpu[] {
  const sort = search.sort?.replace(/^-/, '') as GpuSort;
  const order = GPU_SORTS[sort];
  if (order === undefined) return gpus;
  const sorted = gpus.toSorted(order);
  return search.sort?.startsWith('-') ? sorted.reverse() : sorted;
}

/** Returns how many GPUs have each value of a facet, the most frequent first. */
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
  return [...counts].map(([value, count]) => ({ value, count })).sort((a, b) => b.count - a.count);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Unknown values come last. */
function descending(a: number | null, b: number | null): number {
  return (b ?? -Infinity) - (a ?? -Infinity);
}

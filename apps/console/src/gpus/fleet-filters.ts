import type { Gpu } from '../data/queries.ts';
import { matchesText, operatorOf } from '../parts/text-operator.ts';
import { type Search, withoutParameters } from '../search.ts';
import { loadOf } from './load.ts';

/** Facets of the view: search parameter, title, and the value of a GPU. */
export const GPU_FACETS = [
  ['health', 'Health', (gpu: Gpu) => gpu.health],
  ['load', 'Load', loadOf],
  ['model', 'Model', (gpu: Gpu) => gpu.model],
  ['driver', 'Driver', (gpu: Gpu) => gpu.driver_version],
  [
    'workspace_name',
    'Workspace',
    (gpu: Gpu, workspaces: Map<number, string>) => workspaceOf(gpu, workspaces),
  ],
] as const;
export type GpuFacet = (typeof GPU_FACETS)[number][0];

/** Fields that the text filter compares. */
const TEXTS = ['hostname', 'gpu_id', 'serial_no', 'pcie_address'] as const;

/** Returns the search of the GPUs of one host: `node-1` without `node-10`. */
export function gpusOfHost(hostname: string): Search {
  return { q: hostname, q_operator: 'equals', view: 'table' };
}

/** Drops every filter and keeps the rest of the search. */
export function withoutGpuFilters(search: Search): Search {
  return withoutParameters(search, [...GPU_FACETS.map(([name]) => name), 'q', 'q_operator']);
}

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
  const operator = operatorOf(search.q_operator);
  const isNegated = operator === 'notContains';
  const matchesOne = (gpu: Gpu, wanted: string) =>
    isNegated
      ? TEXTS.every((name) => matchesText(gpu[name].toLowerCase(), operator, wanted))
      : TEXTS.some((name) => matchesText(gpu[name].toLowerCase(), operator, wanted));
  const selections = GPU_FACETS.filter(([name]) => name !== except && search[name]).map(
    ([name, , valueOf]) => [new Set(search[name]?.split(',')), valueOf] as const,
  );
  return gpus.filter(
    (gpu) =>
      selections.every(([values, valueOf]) => values.has(valueOf(gpu, workspaces))) &&
      (text === undefined || matchesOne(gpu, text)),
  );
}

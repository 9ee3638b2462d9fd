import type { Gpu } from '../data/queries.ts';
import type { Search } from '../search.ts';

/** Compares two GPUs; the direction is 1, or -1 for the reverse order. */
type Order = (a: Gpu, b: Gpu, direction: 1 | -1) => number;

const GPU_SORTS = {
  host: (a, b, direction) => direction * compare(a.hostname, b.hostname),
  model: (a, b, direction) => direction * compare(a.model, b.model),
  utilization: (a, b, direction) => descending(a.utilization_pct, b.utilization_pct, direction),
  temperature: (a, b, direction) => descending(a.temperature_c, b.temperature_c, direction),
  xid: (a, b, direction) => descending(a.xid_errors, b.xid_errors, direction),
  seen: (a, b, direction) => direction * compare(b.last_seen, a.last_seen),
} satisfies Record<string, Order>;
export type GpuSort = keyof typeof GPU_SORTS | 'health';

/** The sorts in both directions, as text. The first one is that of the API. */
export const GPU_SORT_TITLES: [sort: GpuSort | `-${GpuSort}`, title: string][] = [
  ['health', 'Most urgent first'],
  ['-health', 'Least urgent first'],
  ['host', 'Host, A to Z'],
  ['-host', 'Host, Z to A'],
  ['model', 'Model, A to Z'],
  ['-model', 'Model, Z to A'],
  ['utilization', 'Highest mean utilization first'],
  ['-utilization', 'Lowest mean utilization first'],
  ['temperature', 'Highest mean temperature first'],
  ['-temperature', 'Lowest mean temperature first'],
  ['xid', 'Most XID errors first'],
  ['-xid', 'Fewest XID errors first'],
  ['seen', 'Last seen, newest first'],
  ['-seen', 'Last seen, oldest first'],
];

/** Sorts whose first direction is from A to Z. The others begin with the most urgent, highest or newest, as severities of alerts do. */
const ASCENDING_FIRST: ReadonlySet<GpuSort> = new Set<GpuSort>(['host', 'model']);

/** Returns the direction in which a column is sorted; undefined if it is not. */
export function directionOf(
  column: GpuSort | undefined,
  sort: string,
): 'ascending' | 'descending' | undefined {
  if (column === undefined || (sort !== column && sort !== `-${column}`)) return undefined;
  return ASCENDING_FIRST.has(column) === (sort === column) ? 'ascending' : 'descending';
}

/** Returns the sort of a search; by default that of the API, which is by health. */
export function sortOf(search: Search): string {
  return GPU_SORT_TITLES.find(([sort]) => sort === search.sort)?.[0] ?? 'health';
}

export function sortGpus(gpus: Gpu[], sort: string): Gpu[] {
  const direction = sort.startsWith('-') ? -1 : 1;
  const name = sort.replace(/^-/, '');
  // The API lists GPUs by health, and those that failed before other missing ones.
  if (name === 'health') return direction === 1 ? gpus : gpus.toReversed();
  const order = (GPU_SORTS as Record<string, Order>)[name];
  return order === undefined ? gpus : gpus.toSorted((a, b) => order(a, b, direction));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Unknown values come last in both directions. */
function descending(a: number | null, b: number | null, direction: 1 | -1): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return direction * (b - a);
}

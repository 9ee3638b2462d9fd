import type { HostFilters } from '../data/fleet-queries.ts';
import type { Scope } from '../data/queries.ts';
import { type Search, withoutParameters } from '../search.ts';

/** Search parameters of the view that hold comma lists; `workspace_id` is one value. */
export const HOST_PARAMETERS = ['health', 'model', 'workspace_id'] as const;

export const HOST_SORTS = [
  ['worst', 'Worst first'],
  ['hottest', 'Hottest first'],
  ['idle', 'Least utilized first'],
  ['name', 'Name, A to Z'],
] as const;
export type HostSort = (typeof HOST_SORTS)[number][0];

export function hostSortOf(search: Search): HostSort {
  return HOST_SORTS.find(([sort]) => sort === search.sort)?.[0] ?? 'worst';
}

/** Turns the view's search into the query of the API. A workspace of the view is within the scope of all views. */
export function hostFilters(search: Search, scope: Scope): HostFilters {
  return {
    ...scope,
    ...(search.workspace_id && { workspace_id: Number(search.workspace_id) }),
    ...(search.health && { health: search.health }),
    ...(search.model && { model: search.model }),
    sort: hostSortOf(search),
  };
}

export function withoutHostFilters(search: Search): Search {
  return withoutParameters(search, HOST_PARAMETERS);
}

/** Returns the search of the list from that of a host's page, which has it too, for the way back. */
export function hostListSearch(search: Search): Search {
  return withoutParameters(search, ['window']);
}

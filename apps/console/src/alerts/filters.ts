import type { AlertFilters, AlertState, AlertType, Scope, Severity } from '../data/queries.ts';
import { listOf } from '../parts/facet.tsx';
import type { Search } from '../search.ts';

/** Search parameters of the view that hold comma lists of values, with the facet they belong to. */
export const FACETS = ['severity', 'type', 'state'] as const;
export type Facet = (typeof FACETS)[number];
export const FACET_TITLES: Record<Facet, string> = { severity: 'Severity', type: 'Type', state: 'State' };

/** Search parameters of the view that hold text; alerts match when the field contains it. */
export const TEXTS = ['title', 'description', 'hostname'] as const;
export const TEXT_LABELS: Record<(typeof TEXTS)[number], string> = {
  title: 'Title contains',
  description: 'Description contains',
  hostname: 'Host contains',
};

/** The five sorts of the API in both directions. Severity orders from critical to info. */
export const SORTS = [
  ['-timestamp', 'Newest first'],
  ['timestamp', 'Oldest first'],
  ['severity', 'Most severe first'],
  ['-severity', 'Least severe first'],
  ['type', 'Type, A to Z'],
  ['-type', 'Type, Z to A'],
  ['hostname', 'Host, A to Z'],
  ['-hostname', 'Host, Z to A'],
  ['state', 'Active first'],
  ['-state', 'Ignored first'],
] as const;
export type Sort = (typeof SORTS)[number][0];
export const DEFAULT_SORT: Sort = '-timestamp';

export function sortOf(search: Search): Sort {
  return SORTS.find(([sort]) => sort === search.sort)?.[0] ?? DEFAULT_SORT;
}

/** Turns the view's search parameters into the query of the API. */
export function alertFilters(search: Search, scope: Scope): AlertFilters {
  const list = <Value>(facet: Facet) => listOf(search[facet]) as Value[];
  const severities = list<Severity>('severity');
  const types = list<AlertType>('type');
  const states = list<AlertState>('state');
  return {
    ...scope,
    ...(search.from && { from: search.from }),
    ...(search.to && { to: search.to }),
    ...(severities.length > 0 && { 'filter[severity][in]': severities }),
    ...(types.length > 0 && { 'filter[type][in]': types }),
    ...(states.length > 0 && { 'filter[state][in]': states }),
    ...(search.title && { 'filter[title][contains]': search.title }),
    ...(search.description && { 'filter[description][contains]': search.description }),
    ...(search.hostname && { 'filter[hostname][contains]': search.hostname }),
  };
}

/** Whether anything narrows the list beyond the scope. */
export function isFiltered(search: Search): boolean {
  return [...FACETS, ...TEXTS, 'from', 'to'].some((name) => Boolean(search[name]));
}

/** Keeps scope, sort and open alert; drops every filter. */
export function withoutFilters(search: Search): Search {
  const dropped = Object.fromEntries([...FACETS, ...TEXTS, 'from', 'to'].map((name) => [name, undefined]));
  return { ...search, ...dropped };
}

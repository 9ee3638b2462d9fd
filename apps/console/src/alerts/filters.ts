import type { AlertFilters, AlertState, AlertType, Scope, Severity } from '../data/queries.ts';
import { withoutSheet } from '../parts/filter-sheet.ts';
import { operatorOf, type TextOperator } from '../parts/text-operator.ts';
import { listOf } from '../parts/value-list.ts';
import { type Search, withoutParameters } from '../search.ts';

/** Search parameters of the view that hold comma lists of values, with the facet they belong to. */
export const FACETS = ['severity', 'type', 'state'] as const;
export type Facet = (typeof FACETS)[number];
export const FACET_TITLES: Record<Facet, string> = { severity: 'Severity', type: 'Type', state: 'State' };

/** Search parameters of the view that hold text; alerts match when the field contains it. The host has an operator too. */
export const TEXTS = ['title', 'description', 'hostname'] as const;
export const TEXT_LABELS: Record<(typeof TEXTS)[number], string> = {
  title: 'Title contains',
  description: 'Description contains',
  hostname: 'Host',
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
    ...(search.hostname && hostFilter(search.hostname, search.hostname_operator)),
  };
}

function hostFilter(hostname: string, operator: string | undefined): AlertFilters {
  return operatorOf(operator) === 'equals'
    ? { 'filter[hostname][equals]': hostname }
    : { 'filter[hostname][contains]': hostname };
}

/** Sets a text filter. Without a text, the next one is contained again. */
export function withText(search: Search, field: (typeof TEXTS)[number], text: string): Search {
  const operator = field === 'hostname' && text === '' ? { hostname_operator: undefined } : {};
  return { ...search, [field]: text || undefined, ...operator };
}

/** Sets the operator of the host filter; the URL has only the one that is not the default. */
export function withOperator(search: Search, operator: TextOperator): Search {
  return { ...search, hostname_operator: operator === 'equals' ? operator : undefined };
}

/** Returns the search of the alerts of one host: `node-1` without `node-10`. */
export function alertsOfHost(hostname: string): Search {
  return { hostname, hostname_operator: 'equals' };
}

/** Returns the parameters that narrow and sort the list. The page of an alert has them too, for the way back. */
export function narrowingOf(search: Search): Search {
  return { ...withoutSheet(search), alert: undefined };
}

/** Whether anything narrows the list beyond the scope. */
export function isFiltered(search: Search): boolean {
  return [...FACETS, ...TEXTS, 'from', 'to'].some((name) => Boolean(search[name]));
}

/** Keeps scope, sort and open alert; drops every filter. */
export function withoutFilters(search: Search): Search {
  return withoutParameters(search, [...FACETS, ...TEXTS, 'hostname_operator', 'from', 'to']);
}

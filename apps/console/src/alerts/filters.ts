import type { AlertFilters, AlertState, AlertType, Scope, Severity, TimeWindow } from '../data/queries.ts';
import { relativeWindowOf, WINDOW_PARAMETERS } from '../data/window.ts';
import { withoutSheet } from '../parts/filter-sheet.ts';
import { operatorOf, operatorParameter, type TextOperator } from '../parts/text-operator.ts';
import { listed, listOf, toggledList } from '../parts/value-list.ts';
import { type Search, withoutParameters } from '../search.ts';

/** Search parameters of the view that hold comma lists of values, with the facet they belong to. */
export const FACETS = ['severity', 'type', 'state'] as const;
export type Facet = (typeof FACETS)[number];
export const FACET_TITLES: Record<Facet, string> = { severity: 'Severity', type: 'Type', state: 'State' };

/** Search parameters of the view that hold text, with its operator in `<field>_operator`. */
export const TEXTS = ['title', 'description', 'hostname'] as const;
export type TextField = (typeof TEXTS)[number];
export const TEXT_LABELS: Record<TextField, string> = {
  title: 'Title',
  description: 'Description',
  hostname: 'Host',
};

/** Fields with lists of values to exclude, in `not_<field>`. */
export const EXCLUDABLE = [...FACETS, 'hostname', 'title'] as const;
export type Excludable = (typeof EXCLUDABLE)[number];

const OPERATORS = TEXTS.map((field) => `${field}_operator` as const);
const EXCLUSIONS = EXCLUDABLE.map((field) => `not_${field}` as const);
/** Parameters that narrow the list; an operator alone does not. */
export const NARROWING = [...FACETS, ...TEXTS, ...EXCLUSIONS, 'q', 'api_key'] as const;

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

/** Turns the view's search parameters, apart from its window, into the query of the API. */
export function alertFilters(search: Search, scope: Scope, window: TimeWindow = {}): AlertFilters {
  const list = <Value>(name: string) => listOf(search[name]) as Value[];
  const severities = list<Severity>('severity');
  const types = list<AlertType>('type');
  const states = list<AlertState>('state');
  const notSeverities = list<Severity>('not_severity');
  const notTypes = list<AlertType>('not_type');
  const notStates = list<AlertState>('not_state');
  const texts = TEXTS.flatMap((field) => {
    const text = search[field];
    return text ? [[`filter[${field}][${operatorOf(search[`${field}_operator`])}]`, text]] : [];
  });
  return {
    ...scope,
    ...window,
    ...(search.api_key && { api_key_id: Number(search.api_key) }),
    ...(search.q && { q: search.q }),
    ...(severities.length > 0 && { 'filter[severity][in]': severities }),
    ...(types.length > 0 && { 'filter[type][in]': types }),
    ...(states.length > 0 && { 'filter[state][in]': states }),
    ...(notSeverities.length > 0 && { 'filter[severity][notIn]': notSeverities }),
    ...(notTypes.length > 0 && { 'filter[type][notIn]': notTypes }),
    ...(notStates.length > 0 && { 'filter[state][notIn]': notStates }),
    ...excludedTexts('hostname', search),
    ...excludedTexts('title', search),
    ...(Object.fromEntries(texts) as AlertFilters),
  };
}

/** Excludes several values with the operator that only the endpoints of searches accept, which count by day and hour only. */
function excludedTexts(field: 'hostname' | 'title', search: Search): AlertFilters {
  const values = listOf(search[`not_${field}`]);
  if (values.length > 1) return { [`filter[${field}][notIn]`]: values.map(listed) };
  return values.length === 0 ? {} : { [`filter[${field}][notEquals]`]: values[0] };
}

/** Sets a text filter. Without a text, the next one is contained again. */
export function withText(search: Search, field: TextField, text: string): Search {
  const operator = text === '' ? { [`${field}_operator`]: undefined } : {};
  return { ...search, [field]: text || undefined, ...operator };
}

/** Sets the operator of a text filter. */
export function withOperator(search: Search, field: TextField, operator: TextOperator): Search {
  return { ...search, [`${field}_operator`]: operatorParameter(operator) };
}

/** Selects a value of a facet, or removes it. It is no longer excluded. */
export function withSelected(search: Search, facet: Facet, value: string): Search {
  return { ...withoutValue(search, `not_${facet}`, value), [facet]: toggledList(search[facet], value) };
}

/** Excludes a value, or no longer. A facet no longer selects it. */
export function withExcluded(search: Search, field: Excludable, value: string): Search {
  const name = `not_${field}`;
  // The parameters of hosts and titles that are selected are texts, which may be parts of other values.
  const included = field === 'hostname' || field === 'title' ? search : withoutValue(search, field, value);
  return { ...included, [name]: toggledList(search[name], value) };
}

/** Removes a value from a list. */
export function withoutValue(search: Search, name: string, value: string): Search {
  return listOf(search[name]).includes(value)
    ? { ...search, [name]: toggledList(search[name], value) }
    : search;
}

/** Returns the search of the alerts of one host: `node-1` without `node-10`. */
export function alertsOfHost(hostname: string): Search {
  return { hostname, hostname_operator: 'equals' };
}

/** Returns the parameters that narrow and sort the list. The page of an alert has them too, for the way back. */
export function narrowingOf(search: Search): Search {
  return { ...withoutSheet(search), alert: undefined };
}

/** Returns the parameters that select and sort the rows. */
export function selectionOf(search: Search): Search {
  const names = [...NARROWING, ...OPERATORS, ...WINDOW_PARAMETERS, 'sort'];
  return Object.fromEntries(names.flatMap((name) => (search[name] ? [[name, search[name]]] : [])));
}

/** Returns all parameters of a view of the list, to save it: its rows, its scope and how they are shown. */
export function viewOf(search: Search): Search {
  const names = ['customer', 'workspace', 'group', 'columns', 'compare'];
  const shown = names.flatMap((name) => (search[name] ? [[name, search[name]]] : []));
  return { ...selectionOf(search), ...Object.fromEntries(shown) };
}

/** Whether anything narrows the list beyond the scope. */
export function isFiltered(search: Search): boolean {
  return (
    relativeWindowOf(search) !== undefined ||
    [...NARROWING, 'from', 'to'].some((name) => Boolean(search[name]))
  );
}

/** Keeps scope, sort and open alert; drops every filter. */
export function withoutFilters(search: Search): Search {
  return withoutParameters(search, [...NARROWING, ...OPERATORS, ...WINDOW_PARAMETERS]);
}

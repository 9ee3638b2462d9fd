import type { Scope } from '../data/queries.ts';
import { DAY_MS } from '../data/durations.ts';
import { isoOf } from '../data/window.ts';
import { type Search, withoutParameters } from '../search.ts';
import type { XidFilters } from './queries.ts';

/** Search parameters of the view: codes as a comma list, one host, one UTC day. */
export const XID_PARAMETERS = ['code', 'host', 'day'] as const;
export type XidParameter = (typeof XID_PARAMETERS)[number];

/** Turns the view's search into the query of the API. The parameter of `except` is ignored, for the counts of its values. */
export function xidFilters(
  search: Search,
  scope: Scope,
  from: string,
  except: XidParameter[] = [],
): XidFilters {
  const valueOf = (name: XidParameter) => (except.includes(name) ? undefined : search[name]);
  const [code, hostname, day] = [valueOf('code'), valueOf('host'), dayOf(valueOf('day'))];
  return { ...scope, from, ...(code && { code }), ...(hostname && { hostname }), ...boundsOf(day, from) };
}

/** Returns the day of the URL; undefined for other texts. */
export function dayOf(text: string | undefined): string | undefined {
  return text !== undefined && /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text))
    ? text
    : undefined;
}

/** Returns the times of a UTC day; the first one of a window may begin later. */
function boundsOf(day: string | undefined, from: string): Pick<XidFilters, 'from' | 'to'> {
  if (day === undefined) return {};
  const startMs = Date.parse(day);
  return { from: isoOf(Math.max(startMs, Date.parse(from))), to: isoOf(startMs + DAY_MS) };
}

export function withoutXidFilters(search: Search): Search {
  return withoutParameters(search, XID_PARAMETERS);
}

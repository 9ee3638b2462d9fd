import type { Search } from '../search.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from './durations.ts';
import type { TimeWindow } from './queries.ts';

/** Parameters of the URL that hold the time window of a view: a relative one, or exact times. */
export const WINDOW_PARAMETERS = ['window', 'from', 'to'] as const;

const UNITS_MS = { m: MINUTE_MS, h: HOUR_MS, d: DAY_MS, w: 7 * DAY_MS } as const;
const UNIT_NAMES = { m: 'minute', h: 'hour', d: 'day', w: 'week' } as const;
type Unit = keyof typeof UNITS_MS;
const RELATIVE = /^([1-9]\d{0,4})([mhdw])$/;
/** Longest relative window. Times before the epoch are of no use. */
const MAX_WINDOW_MS = 20 * 366 * DAY_MS;

/** Returns the length of a relative window such as `24h`, `90m`, `7d` or `2w`; undefined for other texts. */
export function windowMsOf(text: string | undefined): number | undefined {
  const [, count, unit] = RELATIVE.exec(text ?? '') ?? [];
  if (count === undefined || unit === undefined) return undefined;
  const ms = Number(count) * UNITS_MS[unit as Unit];
  return ms <= MAX_WINDOW_MS ? ms : undefined;
}

/** Returns the name of a relative window: `24 hours`. */
export function windowName(text: string): string {
  const [, count, unit] = RELATIVE.exec(text) ?? [];
  if (count === undefined || unit === undefined) return text;
  return `${count} ${UNIT_NAMES[unit as Unit]}${count === '1' ? '' : 's'}`;
}

/** Returns the relative window of a search, which has priority over exact times; undefined for others. */
export function relativeWindowOf({ window }: Search): string | undefined {
  return windowMsOf(window) === undefined ? undefined : window;
}

/**
 * Returns the window of a search at a time. A relative window begins at a whole step, so that the URL of a request stays
 * the same for that long, and has no end.
 */
export function resolveWindow(search: Search, nowMs: number, stepMs = MINUTE_MS): TimeWindow {
  const lengthMs = windowMsOf(search.window);
  if (lengthMs !== undefined) return { from: isoOf(Math.floor((nowMs - lengthMs) / stepMs) * stepMs) };
  return { ...(search.from && { from: search.from }), ...(search.to && { to: search.to }) };
}

/** Returns the search with another window. */
export function withWindow(search: Search, change: Search): Search {
  return { ...search, window: change.window, from: change.from, to: change.to };
}

/**
 * Returns the window of the same length that ends where this one begins; undefined for a window without a start, or
 * whose times are invalid. An open window ends with the current minute, so that the URL of a request stays the same for as long.
 */
export function previousWindow({ from, to }: TimeWindow, nowMs: number): Required<TimeWindow> | undefined {
  const fromMs = Date.parse(from ?? '');
  const toMs = to === undefined ? Math.floor(nowMs / MINUTE_MS) * MINUTE_MS : Date.parse(to);
  const lengthMs = toMs - fromMs;
  if (!(lengthMs > 0)) return undefined;
  return { from: isoOf(fromMs - lengthMs), to: isoOf(fromMs) };
}

/** Returns RFC 3339 in UTC. */
export function isoOf(ms: number): string {
  return new Date(ms).toISOString();
}

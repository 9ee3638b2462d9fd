import { DAY_MS } from '../data/durations.ts';
import type { TimeWindow } from '../data/queries.ts';
import { isoOf, previousWindow, windowMsOf } from '../data/window.ts';
import type { Search } from '../search.ts';

export const DEFAULT_WINDOW = '90d';

/** The whole UTC days of a view of metrics, the grain of the API. */
export interface DayWindow {
  window: TimeWindow;
  /** The same number of days before; undefined without a comparison. */
  before: TimeWindow | undefined;
  /** End of the last day that has data, in ms since the epoch. */
  endMs: number;
  /** Whether the last day is today, which is incomplete. */
  hasToday: boolean;
}

/**
 * Returns the days of a search. A relative window ends with today; days are compared when they are complete, so it then
 * ends with yesterday.
 */
export function dayWindowOf(search: Search, nowMs: number, isCompared: boolean): DayWindow {
  const todayMs = Math.floor(nowMs / DAY_MS) * DAY_MS;
  const lastMs = isCompared ? todayMs : todayMs + DAY_MS;
  const lengthMs = windowMsOf(search.window);
  const hasTimes = lengthMs === undefined && Boolean(search.from || search.to);
  const days = Math.ceil((lengthMs ?? windowMsOf(DEFAULT_WINDOW) ?? DAY_MS) / DAY_MS) * DAY_MS;
  const toMs = hasTimes && search.to ? Math.ceil(Date.parse(search.to) / DAY_MS) * DAY_MS : lastMs;
  const endMs = Math.min(toMs, lastMs);
  const fromMs =
    hasTimes && search.from ? Math.floor(Date.parse(search.from) / DAY_MS) * DAY_MS : endMs - days;
  if (!(fromMs < endMs)) {
    // The service rejects times that are invalid or in the wrong order, and has no data of the future.
    return {
      window: { from: search.from ?? '', to: search.to ?? '' },
      before: undefined,
      endMs,
      hasToday: false,
    };
  }
  const window = { from: isoOf(fromMs), to: isoOf(endMs) };
  return {
    window,
    before: isCompared ? previousWindow(window, nowMs) : undefined,
    endMs,
    hasToday: endMs > todayMs,
  };
}

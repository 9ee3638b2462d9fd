import { parseTimestamp } from '@gpu-observatory/domain-types';
import { requestedTimes } from '../../query-parameters/requested-window.ts';

/** Bounds of an open window: no alert is outside of them, and both are month boundaries. */
export const BEGIN_MS = 0;
export const END_MS = Date.UTC(9999, 11, 1);

/** A half-open interval in ms since the epoch. An open end is `BEGIN_MS` or `END_MS`. */
export interface TimeWindow {
  fromMs: number;
  toMs: number;
}

/** Returns whether no alert is outside of the window. */
export function isOpen({ fromMs, toMs }: TimeWindow): boolean {
  return fromMs === BEGIN_MS && toMs === END_MS;
}

/** The window of a query, with whether the query sets each bound. */
export interface SelectedWindow extends TimeWindow {
  hasFrom: boolean;
  hasTo: boolean;
}

/**
 * Returns the intersection of the window `from`/`to` and of `filter[timestamp]`, whose bounds are inclusive. It may be empty.
 *
 * @throws {DomainError} `invalid_query` when `from` is later than `to`; equal is an empty window
 */
export function timeWindow(query: {
  from?: string | undefined;
  to?: string | undefined;
  since?: string | undefined;
  until?: string | undefined;
}): SelectedWindow {
  // Alerts have whole milliseconds, so a bound between two milliseconds is equivalent to the next one.
  const requested = requestedTimes(query.from, query.to, 'up');
  const sinceMs = parseTimestamp(query.since ?? '', 'up')?.getTime() ?? BEGIN_MS;
  const untilMs = parseTimestamp(query.until ?? '')?.getTime() ?? END_MS;
  const fromMs = clamp(Math.max(requested.fromMs ?? BEGIN_MS, sinceMs));
  // The inclusive bound becomes an exclusive one.
  const toMs = clamp(Math.min(requested.toMs ?? END_MS, untilMs + 1));
  return {
    fromMs,
    toMs: Math.max(fromMs, toMs),
    hasFrom: (query.from ?? query.since) !== undefined,
    hasTo: (query.to ?? query.until) !== undefined,
  };
}

function clamp(ms: number): number {
  return Math.min(Math.max(ms, BEGIN_MS), END_MS);
}

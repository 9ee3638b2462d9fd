import { parseTimestamp } from '@gpu-observatory/domain-types';
import { DomainError, fleetErrors } from '@gpu-observatory/error-envelopes';

/** Begin and end of all that can be asked for: no alert is older or newer, and both lie on a month's border. */
export const BEGIN_MS = 0;
export const END_MS = Date.UTC(9999, 11, 1);

/** Milliseconds since the epoch, half-open (contract 4.1). An open end is `BEGIN_MS` or `END_MS`. */
export interface TimeWindow {
  fromMs: number;
  toMs: number;
}

/** The window of a query, and which of its ends the query gave. */
export interface SelectedWindow extends TimeWindow {
  fromGiven: boolean;
  toGiven: boolean;
}

/**
 * The window of a query: `from` and `to`, and what the inclusive `filter[timestamp]` leaves of it, which may be empty.
 *
 * @throws {DomainError} `invalid_query` when `from` is later than `to`; equal is an empty window
 */
export function timeWindow(query: {
  from?: string | undefined;
  to?: string | undefined;
  since?: string | undefined;
  until?: string | undefined;
}): SelectedWindow {
  // Alerts have whole milliseconds: none is between one and the next.
  const from = milliseconds(query.from, 'up');
  const to = milliseconds(query.to, 'up');
  if (from !== undefined && to !== undefined && from > to) {
    throw new DomainError(
      fleetErrors.invalidQuery,
      'from should not be later than to; the window is from (inclusive) to to (exclusive).',
    );
  }
  const since = milliseconds(query.since, 'up');
  const until = milliseconds(query.until, 'cut');
  const fromMs = within(Math.max(from ?? BEGIN_MS, since ?? BEGIN_MS));
  // Up to and including a millisecond is before the next.
  const toMs = within(Math.min(to ?? END_MS, until === undefined ? END_MS : until + 1));
  return {
    fromMs,
    toMs: Math.max(fromMs, toMs),
    fromGiven: (query.from ?? query.since) !== undefined,
    toGiven: (query.to ?? query.until) !== undefined,
  };
}

function milliseconds(text: string | undefined, finer: 'cut' | 'up'): number | undefined {
  return text === undefined ? undefined : parseTimestamp(text, finer)?.getTime();
}

function within(ms: number): number {
  return Math.min(Math.max(ms, BEGIN_MS), END_MS);
}

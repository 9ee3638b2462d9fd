import { DAY_MS, parseTimestamp } from '@gpu-observatory/domain-types';
import { DomainError, echo, fleetErrors } from '@gpu-observatory/service-runtime/process';
import type { TimeWindow } from '../../model/time-window.ts';

/** Query parameters of a window, as RFC 3339 times. */
export interface WindowQuery {
  from?: string | undefined;
  to?: string | undefined;
}

/** Maximum length of a window that is not long. */
const LONG_WINDOW_MS = 31 * DAY_MS;

/** Returns whether a read whose cost grows with the window counts as slow, because it may take seconds. */
export function isLongWindow({ fromMs, toMs }: TimeWindow): boolean {
  return toMs - fromMs > LONG_WINDOW_MS;
}

/**
 * Returns the times of `from` and `to`, in ms since the epoch; undefined for an absent parameter.
 *
 * @param finer whether fractions of a millisecond are cut off or rounded up
 * @throws {DomainError} `invalid_query` when `from` is later than `to`; equal is an empty window
 */
export function requestedTimes(
  { from, to }: WindowQuery,
  finer: 'cut' | 'up' = 'cut',
): { fromMs: number | undefined; toMs: number | undefined } {
  const fromMs = parseTimestamp(from ?? '', finer)?.getTime();
  const toMs = parseTimestamp(to ?? '', finer)?.getTime();
  if (fromMs !== undefined && toMs !== undefined && fromMs > toMs)
    throw new DomainError(
      fleetErrors.invalidQuery,
      `from (${echo(from ?? '')}) must not be later than to (${echo(to ?? '')}).`,
    );
  return { fromMs, toMs };
}

/** The window of a request, before a resource widens or cuts it. */
interface RequestedWindow extends TimeWindow {
  /** Whether `from` and `to` are equal. Such a window stays empty: a resource does not widen it. */
  isEmpty: boolean;
}

/**
 * Returns the window of `from` and `to`. Without `to`, it ends now, or at `from` if that is in the future. Without `from`, it has the
 * default length.
 *
 * @throws {DomainError} `invalid_query` when `from` is later than `to`
 */
export function requestedWindow(
  query: WindowQuery,
  { defaultMs, nowMs }: { defaultMs: number; nowMs: number },
): RequestedWindow {
  const { fromMs, toMs } = requestedTimes(query);
  const endMs = toMs ?? Math.max(nowMs, fromMs ?? nowMs);
  return {
    fromMs: fromMs ?? endMs - defaultMs,
    toMs: endMs,
    isEmpty: fromMs !== undefined && fromMs === toMs,
  };
}

/** Returns the window, widened to whole units of this length, which start at the epoch. */
export function widened({ fromMs, toMs, isEmpty }: RequestedWindow, unitMs: number): TimeWindow {
  const startMs = Math.floor(fromMs / unitMs) * unitMs;
  return { fromMs: startMs, toMs: isEmpty ? startMs : Math.ceil(toMs / unitMs) * unitMs };
}

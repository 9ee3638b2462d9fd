import { parseTimestamp } from '@gpu-observatory/domain-types';
import { DomainError, fleetErrors } from '@gpu-observatory/error-envelopes';

export const DAY_MS = 86_400_000;
/** Contract 4.4. */
const DEFAULT_WINDOW_MS = 90 * DAY_MS;
/** Nothing is kept longer, or taken from further ahead: other days would be points without an end. */
const KEPT_MS = 14 * 31 * DAY_MS;
const AHEAD_MS = 3_600_000;

/** Whole UTC days, half-open, in milliseconds since the epoch. */
export interface MetricsWindow {
  fromMs: number;
  toMs: number;
}

/**
 * The window of a request, by default the last 90 days, widened to the days in which metrics are summed up and cut to
 * those that data can be of.
 *
 * @throws {DomainError} `invalid_query` when `from` is later than `to`; equal is an empty window
 */
export function metricsWindow(
  from: string | undefined,
  to: string | undefined,
  nowMs = Date.now(),
): MetricsWindow {
  const fromGiven = milliseconds(from);
  const toGiven = milliseconds(to);
  if (fromGiven !== undefined && toGiven !== undefined && fromGiven > toGiven) {
    throw new DomainError(
      fleetErrors.invalidQuery,
      'from should not be later than to; the window is from (inclusive) to to (exclusive).',
    );
  }
  const endMs = toGiven ?? Math.max(nowMs, fromGiven ?? nowMs);
  const beginMs = fromGiven ?? endMs - DEFAULT_WINDOW_MS;
  const fromMs = Math.max(dayBefore(beginMs), dayBefore(nowMs - KEPT_MS));
  const toMs = Math.min(dayAfter(endMs), dayAfter(nowMs + AHEAD_MS));
  const isEmpty = toGiven !== undefined && beginMs === endMs;
  return { fromMs, toMs: isEmpty ? fromMs : Math.max(fromMs, toMs) };
}

/** The begin of each day of a window. */
export function daysOf({ fromMs, toMs }: MetricsWindow): number[] {
  return Array.from({ length: (toMs - fromMs) / DAY_MS }, (_unused, n) => fromMs + n * DAY_MS);
}

/** The midnight at or before a moment. */
export function dayBefore(ms: number): number {
  return Math.floor(ms / DAY_MS) * DAY_MS;
}

function dayAfter(ms: number): number {
  return Math.ceil(ms / DAY_MS) * DAY_MS;
}

function milliseconds(text: string | undefined): number | undefined {
  return text === undefined ? undefined : (parseTimestamp(text) as Date).getTime();
}

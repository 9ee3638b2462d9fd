import { DAY_MS } from '@gpu-observatory/domain-types';
import { MAX_AGE_MS, MAX_FUTURE_MS } from '../../model/data-age.ts';
import { dayStart } from '../../model/metrics/time-grains.ts';
import type { TimeWindow } from '../../model/time-window.ts';
import { requestedWindow, widened, type WindowQuery } from '../query-parameters/requested-window.ts';

const DEFAULT_WINDOW_MS = 90 * DAY_MS;

/**
 * Returns the window of a request, by default the last 90 days, widened to whole days. It is cut to the range of the data, so that the
 * number of points per chart is bounded. See docs/fleet-api.md#fleet-metrics.
 *
 * @throws {DomainError} `invalid_query` when `from` is later than `to`; equal is an empty window
 */
export function metricsWindow(query: WindowQuery, nowMs = Date.now()): TimeWindow {
  const requested = widened(requestedWindow(query, { defaultMs: DEFAULT_WINDOW_MS, nowMs }), DAY_MS);
  const fromMs = Math.max(requested.fromMs, dayStart(nowMs - MAX_AGE_MS));
  const toMs = Math.min(requested.toMs, dayEnd(nowMs + MAX_FUTURE_MS));
  return { fromMs, toMs: Math.max(fromMs, toMs) };
}

/** Returns the start of each day of a window of whole days. */
export function daysOf({ fromMs, toMs }: TimeWindow): number[] {
  return Array.from({ length: (toMs - fromMs) / DAY_MS }, (_unused, n) => fromMs + n * DAY_MS);
}

/** Returns the end of the day; a midnight stays the same. */
function dayEnd(ms: number): number {
  return Math.ceil(ms / DAY_MS) * DAY_MS;
}

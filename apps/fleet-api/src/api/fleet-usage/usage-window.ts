import { DAY_MS } from '@gpu-observatory/domain-types';
import { MAX_AGE_MS } from '../../model/data-age.ts';
import { HALF_HOUR_MS } from '../../model/gpu-days/format.ts';
import type { TimeWindow } from '../../model/time-window.ts';
import { requestedTimes, type WindowQuery } from '../query-parameters/requested-window.ts';

const DEFAULT_WINDOW_MS = DAY_MS;

/**
 * Returns the window of a request in whole half hours, by default the last 24 hours. It begins with the half hour that contains
 * `from`. The current half hour would have less usage than others, so it is omitted.
 *
 * @throws {DomainError} `invalid_query` when `from` is later than `to`
 */
export function usageWindow(query: WindowQuery, nowMs: number): TimeWindow {
  const requested = requestedTimes(query);
  const oldestMs = startOfHalfHour(nowMs - MAX_AGE_MS);
  const newestMs = startOfHalfHour(nowMs);
  const toMs = Math.min(startOfHalfHour(requested.toMs ?? nowMs), newestMs);
  const requestedFromMs = startOfHalfHour(requested.fromMs ?? toMs - DEFAULT_WINDOW_MS);
  const fromMs = Math.min(Math.max(requestedFromMs, oldestMs), newestMs);
  return { fromMs, toMs: Math.max(fromMs, toMs) };
}

/** Returns the start of the half hour. */
export function startOfHalfHour(ms: number): number {
  return Math.floor(ms / HALF_HOUR_MS) * HALF_HOUR_MS;
}

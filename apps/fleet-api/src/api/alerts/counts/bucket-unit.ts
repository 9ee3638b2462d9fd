import type { SelectedWindow } from '../filters/time-window.ts';
import type { BucketUnit } from './alert-counts.sql.ts';

const HOUR_MS = 3_600_000;
const WIDEST_BY_HOUR_MS = 72 * HOUR_MS;

/**
 * Hours up to and including 72 h of window, else days (decisions, section 2, Trend).
 *
 * @param earliestMs the earliest alert in scope, where the window's begin is open; null when there is none
 */
export function bucketUnit(window: SelectedWindow, earliestMs: number | null, nowMs: number): BucketUnit {
  const fromMs = window.fromGiven ? window.fromMs : (earliestMs ?? nowMs);
  const toMs = window.toGiven ? window.toMs : nowMs;
  return toMs - fromMs <= WIDEST_BY_HOUR_MS ? 'hour' : 'day';
}

import { HOUR_MS } from '@gpu-observatory/domain-types';
import type { SelectedWindow } from '../filters/alert-selection.ts';

/** Length of the buckets of a trend. */
export type BucketUnit = 'hour' | 'day';

const MAX_HOURLY_WINDOW_MS = 72 * HOUR_MS;

export interface Buckets {
  unit: BucketUnit;
  /**
   * Time until which the unit stays the same, in ms since the epoch; Infinity when it never changes. A window without `to` grows until
   * its buckets are days. For a window without `from`, `nowMs`: an earlier alert may be imported at any time.
   */
  untilMs: number;
}

/**
 * Returns hours for windows of up to 72 h, otherwise days. See docs/fleet-api.md#alert-trend.
 *
 * @param earliestMs time of the earliest alert in scope, for a window without `from`; null without alerts
 */
export function bucketsOf(window: SelectedWindow, earliestMs: number | null, nowMs: number): Buckets {
  const fromMs = window.hasFrom ? window.fromMs : (earliestMs ?? nowMs);
  const toMs = window.hasTo ? window.toMs : nowMs;
  const lastHourlyMs = fromMs + MAX_HOURLY_WINDOW_MS;
  if (toMs > lastHourlyMs) return { unit: 'day', untilMs: Infinity };
  if (!window.hasFrom) return { unit: 'hour', untilMs: nowMs };
  return { unit: 'hour', untilMs: window.hasTo ? Infinity : lastHourlyMs };
}

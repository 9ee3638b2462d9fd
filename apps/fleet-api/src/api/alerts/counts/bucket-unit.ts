import { HOUR_MS } from '@gpu-observatory/domain-types';
import type { SelectedWindow } from '../filters/time-window.ts';

/** The length of a trend's buckets. */
export type BucketUnit = 'hour' | 'day';

const MAX_HOURLY_WINDOW_MS = 72 * HOUR_MS;

export interface Buckets {
  unit: BucketUnit;
  /**
   * Time until which the unit stays the same, in ms since the epoch: an open window grows until its buckets are days. The present
   * where it depends on the earliest alert, which may change before the buckets are read.
   */
  untilMs: number;
}

/**
 * Returns hours for windows of up to 72 h, else days. See docs/fleet-api.md#alert-trend.
 *
 * @param earliestMs time of the earliest alert in scope, for a window without `from`; null without alerts
 */
export function bucketsOf(window: SelectedWindow, earliestMs: number | null, nowMs: number): Buckets {
  const fromMs = window.hasFrom ? window.fromMs : (earliestMs ?? nowMs);
  const lastHourlyMs = fromMs + MAX_HOURLY_WINDOW_MS;
  if ((window.hasTo ? window.toMs : nowMs) > lastHourlyMs) return { unit: 'day', untilMs: Infinity };
  if (!window.hasFrom) return { unit: 'hour', untilMs: nowMs };
  return { unit: 'hour', untilMs: window.hasTo ? Infinity : lastHourlyMs };
}

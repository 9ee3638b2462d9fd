import { HOUR_MS } from '@gpu-observatory/domain-types';
import type { SelectedWindow } from '../filters/time-window.ts';
import type { BucketUnit } from './alert-counts.sql.ts';

const MAX_HOURLY_WINDOW_MS = 72 * HOUR_MS;

/**
 * Returns hours for windows of up to 72 h, else days. See docs/fleet-api.md#alert-trend.
 *
 * @param earliestMs time of the earliest alert in scope, for a window without `from`; null without alerts
 */
export function bucketUnit(window: SelectedWindow, earliestMs: number | null, nowMs: number): BucketUnit {
  const fromMs = window.hasFrom ? window.fromMs : (earliestMs ?? nowMs);
  const toMs = window.hasTo ? window.toMs : nowMs;
  return toMs - fromMs <= MAX_HOURLY_WINDOW_MS ? 'hour' : 'day';
}

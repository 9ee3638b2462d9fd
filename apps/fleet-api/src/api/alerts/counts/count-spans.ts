import { DAY_MS, HOUR_MS } from '@gpu-observatory/domain-types';
import type { TimeWindow } from '../filters/time-window.ts';

/** Lengths of the stored counts, coarsest first. */
export type CountGrain = 'month' | 'day' | 'hour';
export const COUNT_GRAINS: readonly CountGrain[] = ['month', 'day', 'hour'];

/** Lengths of the grains of a fixed length. */
const LENGTH_MS = { day: DAY_MS, hour: HOUR_MS };

/** A part of a window to add or subtract, in whole buckets of a grain or in rows. */
export interface CountSpan extends TimeWindow {
  grain: CountGrain | 'row';
  sign: 1 | -1;
}

/**
 * Splits a window into spans that read few counts. Rounds each end to the nearest boundary of the coarsest grain,
 * inside or outside of the window, then corrects the difference with the finer grains and finally with rows. Example: a
 * window without the first day of a month is that month minus that day. A span of rows is within one bucket of the finest grain.
 *
 * @param grains available counts, coarsest first
 */
export function countSpans({ fromMs, toMs }: TimeWindow, grains: readonly CountGrain[]): CountSpan[] {
  return signedSpans(fromMs, toMs, grains, 1);
}

/** Returns the spans from `a` to `b`, subtracted when `a` is after `b`. */
function signedSpans(a: number, b: number, grains: readonly CountGrain[], sign: 1 | -1): CountSpan[] {
  if (a === b) return [];
  if (a > b) return signedSpans(b, a, grains, sign === 1 ? -1 : 1);
  const [grain, ...finer] = grains;
  if (grain === undefined) return [{ grain: 'row', fromMs: a, toMs: b, sign }];
  const start = nearestBoundary(a, grain);
  const end = nearestBoundary(b, grain);
  const isOnOneSide = start <= a || start >= b;
  if (start === end && isOnOneSide) return signedSpans(a, b, finer, sign);
  return [
    ...(start === end ? [] : [{ grain, fromMs: start, toMs: end, sign }]),
    ...signedSpans(a, start, finer, sign),
    ...signedSpans(end, b, finer, sign),
  ];
}

function nearestBoundary(ms: number, grain: CountGrain): number {
  const before = boundaryBefore(ms, grain);
  const after = boundaryAfter(before, grain);
  return ms - before <= after - ms ? before : after;
}

/** Returns the start of the bucket that contains this time, in UTC. */
export function boundaryBefore(ms: number, grain: CountGrain): number {
  if (grain !== 'month') return Math.floor(ms / LENGTH_MS[grain]) * LENGTH_MS[grain];
  const date = new Date(ms);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1);
}

function boundaryAfter(boundary: number, grain: CountGrain): number {
  if (grain !== 'month') return boundary + LENGTH_MS[grain];
  const date = new Date(boundary);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1);
}

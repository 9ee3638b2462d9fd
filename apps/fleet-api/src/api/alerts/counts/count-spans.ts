import type { TimeWindow } from '../filters/time-window.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** What counts are kept by, the coarsest first. */
export type CountGrain = 'month' | 'day' | 'hour';
export const COUNT_GRAINS: readonly CountGrain[] = ['month', 'day', 'hour'];

/** A part of a window, to be added or to be taken off again, by whole buckets of a grain or by the rows themselves. */
export interface CountSpan extends TimeWindow {
  grain: CountGrain | 'row';
  sign: 1 | -1;
}

/**
 * Takes a window apart so that few counts make it up. Each end is moved to the nearest border of the coarsest grain,
 * within or beyond the window, and what that leaves out or takes in too much is left to the finer grains; the last of it
 * is read from the rows. So a window that misses a month's first day is the month without that day.
 *
 * @param grains which counts there are, the coarsest first
 */
export function countSpans({ fromMs, toMs }: TimeWindow, grains: readonly CountGrain[]): CountSpan[] {
  return signed(fromMs, toMs, grains, 1);
}

/** The spans from `a` up to `b`, taken off where `a` lies behind `b`. */
function signed(a: number, b: number, grains: readonly CountGrain[], sign: 1 | -1): CountSpan[] {
  if (a === b) return [];
  if (a > b) return signed(b, a, grains, sign === 1 ? -1 : 1);
  const [grain, ...finer] = grains;
  if (grain === undefined) return [{ grain: 'row', fromMs: a, toMs: b, sign }];
  const begin = nearestBorder(a, grain);
  const end = nearestBorder(b, grain);
  if (begin === end) return signed(a, b, finer, sign);
  return [
    { grain, fromMs: begin, toMs: end, sign },
    ...signed(a, begin, finer, sign),
    ...signed(end, b, finer, sign),
  ];
}

function nearestBorder(ms: number, grain: CountGrain): number {
  const before = borderBefore(ms, grain);
  const after = borderAfter(before, grain);
  return ms - before <= after - ms ? before : after;
}

/** The begin of the bucket that holds this moment, in UTC. */
export function borderBefore(ms: number, grain: CountGrain): number {
  if (grain === 'hour') return Math.floor(ms / HOUR_MS) * HOUR_MS;
  if (grain === 'day') return Math.floor(ms / DAY_MS) * DAY_MS;
  const date = new Date(ms);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1);
}

function borderAfter(border: number, grain: CountGrain): number {
  if (grain === 'hour') return border + HOUR_MS;
  if (grain === 'day') return border + DAY_MS;
  const date = new Date(border);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1);
}

import { DAY_MS, HOUR_MS } from '@gpu-observatory/domain-types';
import type { TimeWindow } from '../../../model/time-window.ts';

/** Length of the buckets of stored counts. */
export type CountGrain = 'month' | 'day' | 'hour';
/** Length of the buckets of a trend. */
export type BucketUnit = Exclude<CountGrain, 'month'>;
/** Coarsest first. */
export const COUNT_GRAINS: readonly CountGrain[] = ['month', 'day', 'hour'];

/** A month has no fixed length. */
const LENGTH_MS = { day: DAY_MS, hour: HOUR_MS };

/** An interval whose count is added or subtracted: whole buckets of a grain, or rows. */
interface CountSpan extends TimeWindow {
  grain: CountGrain | 'row';
  /** -1 for a count to subtract. */
  sign: 1 | -1;
}

/**
 * Splits a window into spans that read few counts. Rounds each end to the nearest boundary of the coarsest grain, inside or outside of
 * the window, then corrects the difference with the finer grains and finally with rows. For example, a month without its first day is
 * the month minus that day. A span of rows is within one bucket of the finest grain.
 *
 * @param grains available counts, coarsest first
 */
export function countSpans({ fromMs, toMs }: TimeWindow, grains: readonly CountGrain[]): CountSpan[] {
  if (fromMs === toMs) return [];
  const [grain, ...finer] = grains;
  if (grain === undefined) return [{ grain: 'row', fromMs, toMs, sign: 1 }];
  const startMs = nearestBoundary(fromMs, grain);
  const endMs = nearestBoundary(toMs, grain);
  if (startMs === endMs && (startMs <= fromMs || startMs >= toMs)) return countSpans({ fromMs, toMs }, finer);
  return [
    ...(startMs === endMs ? [] : [{ grain, fromMs: startMs, toMs: endMs, sign: 1 } as const]),
    ...correction(fromMs, startMs, finer),
    ...correction(endMs, toMs, finer),
  ];
}

/** Returns the spans to add from `fromMs` to `toMs`; if `toMs` is earlier, the spans to subtract. */
function correction(fromMs: number, toMs: number, grains: readonly CountGrain[]): CountSpan[] {
  if (fromMs <= toMs) return countSpans({ fromMs, toMs }, grains);
  return countSpans({ fromMs: toMs, toMs: fromMs }, grains).map((span) => ({
    ...span,
    sign: span.sign === 1 ? -1 : 1,
  }));
}

function nearestBoundary(ms: number, grain: CountGrain): number {
  const before = boundaryBefore(ms, grain);
  const after = boundaryAfter(before, grain);
  return ms - before <= after - ms ? before : after;
}

/** Returns the start of the bucket that contains a time, in UTC. */
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

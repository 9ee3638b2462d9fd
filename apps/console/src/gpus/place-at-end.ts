interface Intervals {
  /** Start of the last interval, which is the current one, in ms since the epoch. */
  endMs: number;
  stepMs: number;
  count: number;
}

interface Placed {
  /** Starts of the intervals, in seconds since the epoch. */
  times: number[];
  /** One value per interval; null is a gap. */
  values: (number | null)[];
  /** Number of intervals without a reading. The current interval is not counted: it has not ended. */
  gapCount: number;
}

/**
 * Places values on evenly spaced intervals so that the last value is in the interval of the last report; the rest is a
 * gap. Drops values before the first interval: the API's 24 hours start up to half an hour earlier.
 */
export function placeAtEnd(
  known: number[],
  lastReportMs: number,
  { endMs, stepMs, count }: Intervals,
): Placed {
  const firstMs = endMs - (count - 1) * stepMs;
  const lastIndex = Math.min(count - 1, Math.floor((lastReportMs - firstMs) / stepMs));
  const offset = lastIndex - (known.length - 1);
  const values = Array.from({ length: count }, (_unused, n) => known[n - offset] ?? null);
  return {
    times: Array.from({ length: count }, (_unused, n) => (firstMs + n * stepMs) / 1_000),
    values,
    gapCount: values.slice(0, -1).filter((value) => value === null).length,
  };
}

interface Intervals {
  /** Start of the last interval, ms since the epoch. */
  endMs: number;
  stepMs: number;
  count: number;
}

/**
 * Places values on evenly spaced intervals so that the last value is in the interval of the last report; the rest is a
 * gap. Times are seconds since the epoch.
 */
export function placeAtEnd(
  known: number[],
  lastReportMs: number,
  { endMs, stepMs, count }: Intervals,
): { times: number[]; values: (number | null)[] } {
  const firstMs = endMs - (count - 1) * stepMs;
  const lastIndex = Math.min(count - 1, Math.floor((lastReportMs - firstMs) / stepMs));
  const offset = Math.max(lastIndex, known.length - 1) - (known.length - 1);
  return {
    times: Array.from({ length: count }, (_unused, n) => (firstMs + n * stepMs) / 1_000),
    values: Array.from({ length: count }, (_unused, n) => known[n - offset] ?? null),
  };
}

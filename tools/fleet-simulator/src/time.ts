/** Returns the last multiple of `step` that is not after `at` (both in ms; days begin at UTC midnight). */
export function floorTo(step: number, at: number): number {
  return Math.floor(at / step) * step;
}

/** Returns the times in (from, to] that are `phase` after a multiple of `step`. */
export function timesBetween(step: number, phase: number, from: number, to: number): number[] {
  const times: number[] = [];
  for (let at = floorTo(step, from - phase) + step + phase; at <= to; at += step) times.push(at);
  return times;
}

/** Formats `at` (ms since the epoch) as RFC 3339 in UTC with milliseconds, as in every record. */
export function rfc3339(at: number): string {
  return new Date(at).toISOString();
}

/** Returns the last multiple of `step` that is not after `at` (both in ms; days begin at UTC midnight). */
export function floorTo(step: number, at: number): number {
  return Math.floor(at / step) * step;
}

/** Formats `at` (ms since the epoch) as RFC 3339 in UTC with milliseconds, as in every record. */
export function rfc3339(at: number): string {
  return new Date(at).toISOString();
}

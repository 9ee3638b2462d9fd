export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** The last multiple of `step` that is not after `at` (both in milliseconds; days begin at UTC midnight). */
export function floorTo(step: number, at: number): number {
  return Math.floor(at / step) * step;
}

/** RFC 3339 UTC with milliseconds, the form of every timestamp that is written. */
export function rfc3339(at: number): string {
  return new Date(at).toISOString();
}

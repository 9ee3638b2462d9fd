const RFC_3339 = /^\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:[Zz]|[+-]\d{2}:\d{2})$/;
/** Positions of the parts; all but the fraction have a fixed length. */
const FRACTION_AT = 19;
const OFFSET_LENGTH = '+00:00'.length;
/** The Gregorian calendar repeats after this time. */
const CYCLE_YEARS = 400;
const CYCLE_MS = 146_097 * 86_400_000;
const ZERO = '0'.charCodeAt(0);

/** The last millisecond of the year 9999, in ms since the epoch: RFC 3339 has four digits for a year. */
export const END_OF_9999_MS = 253_402_300_799_999;

/**
 * Parses strict RFC 3339 with a zone (docs/services.md#timestamps). Second 60 is accepted at the end of a UTC day only and
 * means the following second. Reads digits by position: the groups of a regular expression take twice as long.
 *
 * @param finer whether digits after the millisecond are cut off or rounded up
 * @returns null for any other text
 */
export function parseTimestamp(text: string, finer: 'cut' | 'up' = 'cut'): Date | null {
  if (!RFC_3339.test(text)) return null;
  const year = twoDigits(text, 0) * 100 + twoDigits(text, 2);
  const [month, day] = [twoDigits(text, 5), twoDigits(text, 8)];
  const [hour, minute, second] = [twoDigits(text, 11), twoDigits(text, 14), twoDigits(text, 17)];
  if (hour > 23 || minute > 59 || second > 60) return null;
  const isUtc = text.endsWith('Z') || text.endsWith('z');
  const zoneAt = text.length - (isUtc ? 1 : OFFSET_LENGTH);
  const zoneHour = isUtc ? 0 : twoDigits(text, zoneAt + 1);
  const zoneMinute = isUtc ? 0 : twoDigits(text, zoneAt + 4);
  if (zoneHour > 23 || zoneMinute > 59) return null;
  // Date.UTC takes years before 100 as those of the 20th century.
  const midnight = Date.UTC(year + CYCLE_YEARS, month - 1, day);
  const date = new Date(midnight);
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return null;
  let milliseconds = 0;
  if (zoneAt > FRACTION_AT) {
    milliseconds = Number(text.slice(FRACTION_AT + 1, Math.min(FRACTION_AT + 4, zoneAt)).padEnd(3, '0'));
    if (finer === 'up' && /[1-9]/.test(text.slice(FRACTION_AT + 4, zoneAt))) milliseconds += 1;
  }
  const clock = ((hour * 60 + minute) * 60 + second) * 1_000 + milliseconds;
  const offsetMinutes = (zoneHour * 60 + zoneMinute) * (text[zoneAt] === '-' ? -1 : 1);
  const utc = new Date(midnight - CYCLE_MS + clock - offsetMinutes * 60_000);
  if (second === 60 && utc.getUTCHours() + utc.getUTCMinutes() > 0) return null;
  const utcYear = utc.getUTCFullYear();
  return utcYear < 0 || utcYear > 9999 ? null : utc;
}

function twoDigits(text: string, at: number): number {
  return (text.charCodeAt(at) - ZERO) * 10 + text.charCodeAt(at + 1) - ZERO;
}

/** Formats an instant as RFC 3339 in UTC with milliseconds and `Z`. */
export function formatTimestamp(instant: Date): string {
  return instant.toISOString();
}

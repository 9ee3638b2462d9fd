const RFC_3339 = /^(\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(\.\d+)?(?:[Zz]|([+-])(\d{2}):(\d{2}))$/;

/**
 * Strict RFC 3339 with a zone. A date alone, a missing zone, a 13th month, a 31st of June and a year past 9999
 * are refused, and so is a second 60 that is no end of a day in UTC; a leap second is read as the second after it.
 *
 * @param finer what becomes of digits past the millisecond: cut off, or rounded up to the next one
 * @returns the instant, or null when the text is not one
 */
export function parseTimestamp(text: string, finer: 'cut' | 'up' = 'cut'): Date | null {
  const match = RFC_3339.exec(text);
  if (!match) return null;
  const [, year, month, day, hour, minute, second, fraction = '', sign, zoneHour = '0', zoneMinute = '0'] =
    match;
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 60) return null;
  if (Number(zoneHour) > 23 || Number(zoneMinute) > 59) return null;
  const instant = new Date(0);
  instant.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  if (instant.getUTCMonth() !== Number(month) - 1 || instant.getUTCDate() !== Number(day)) return null;
  const isFiner = /[1-9]/.test(fraction.slice(4));
  const milliseconds = Number(`${fraction.slice(1, 4)}000`.slice(0, 3)) + (finer === 'up' && isFiner ? 1 : 0);
  instant.setUTCHours(Number(hour), Number(minute), Number(second), milliseconds);
  const offsetMinutes = Number(zoneHour) * 60 + Number(zoneMinute);
  const utc = new Date(instant.getTime() - (sign === '-' ? -offsetMinutes : offsetMinutes) * 60_000);
  if (second === '60' && utc.getUTCHours() + utc.getUTCMinutes() > 0) return null;
  const utcYear = utc.getUTCFullYear();
  return utcYear < 0 || utcYear > 9999 ? null : utc;
}

/** RFC 3339 UTC with milliseconds and `Z`, the one form in which timestamps leave the services. */
export function formatTimestamp(instant: Date): string {
  return instant.toISOString();
}

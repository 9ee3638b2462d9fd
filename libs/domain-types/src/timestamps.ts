const RFC_3339 = /^(\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(\.\d+)?(?:[Zz]|([+-])(\d{2}):(\d{2}))$/;

/**
 * Parses strict RFC 3339 with a zone (docs/services.md#timestamps). Second 60 is accepted at the end of a UTC day only and
 * means the following second.
 *
 * @param finer whether digits after the millisecond are cut off or rounded up
 * @returns null for any other text
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

/** Formats an instant as RFC 3339 in UTC with milliseconds and `Z`. */
export function formatTimestamp(instant: Date): string {
  return instant.toISOString();
}

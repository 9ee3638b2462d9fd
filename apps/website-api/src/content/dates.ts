/** `2024-12-09`, RFC 3339 or Jekyll's `2024-12-09 10:00:00 +0900`. The default time zone is UTC. */
const DATE =
  /^(\d{4})-(\d{2})-(\d{2})(?:(?:[Tt]|\s+)(\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s*(Z|z|UTC|GMT|[+-]\d{2}:?\d{2})?)?$/;

/** Parses a front matter date from 1970 to 9999. Returns undefined if invalid, for example February 30. */
export function parseDate(text: string): Date | undefined {
  const match = DATE.exec(text.trim());
  if (!match) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match
    .slice(1, 7)
    .map((part) => Number(part ?? 0));
  const [fraction = '', zone = 'Z'] = match.slice(7);
  const milliseconds = Number(fraction.slice(0, 3).padEnd(3, '0'));
  const local = new Date(Date.UTC(year, month - 1, day, hour, minute, second, milliseconds));
  const isReal =
    local.getUTCFullYear() === year &&
    local.getUTCMonth() === month - 1 &&
    local.getUTCDate() === day &&
    local.getUTCHours() === hour &&
    local.getUTCMinutes() === minute &&
    second < 60;
  const offset = offsetMinutes(zone);
  if (!isReal || offset === undefined) return undefined;
  const date = new Date(local.getTime() - offset * 60_000);
  return date.getUTCFullYear() >= 1970 && date.getUTCFullYear() <= 9999 ? date : undefined;
}

/** Returns undefined if the offset is out of range (RFC 3339, section 5.6). */
function offsetMinutes(zone: string): number | undefined {
  const [, sign, hours, minutes] = /^([+-])(\d{2}):?(\d{2})$/.exec(zone) ?? [];
  if (sign === undefined) return 0;
  if (Number(hours) > 23 || Number(minutes) > 59) return undefined;
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
}

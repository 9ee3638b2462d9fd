/** `2024-12-09`, RFC 3339, Jekyll's `2024-12-09 10:00:00 +0900`. */
const NUMERIC = /^(?<year>\d{4})-(?<month>\d{1,2})-(?<day>\d{1,2})(?!\d)/;
/** `Mar 3, 2024`, `March 3, 2024`. */
const MONTH_FIRST = /^(?<month>[a-z]{3,9})\.?\s+(?<day>\d{1,2}),?\s+(?<year>\d{4})(?!\d)/i;
/** `3 March 2024`. */
const DAY_FIRST = /^(?<day>\d{1,2})\s+(?<month>[a-z]{3,9})\.?,?\s+(?<year>\d{4})(?!\d)/i;
const TIME_OF_DAY =
  /^(?:T|\s+)(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s*(?<zone>Z|UTC|GMT|[+-]\d{2}:?\d{2})?$/i;
const MONTHS = 'january february march april may june july august september october november december'.split(
  ' ',
);

/**
 * Parses a front matter date from 1970 to 9999. The default time zone is UTC. Returns undefined if invalid, for example
 * February 30, and for `03/04/2024`, which is a day in March or in April.
 */
export function parseDate(text: string): Date | undefined {
  const trimmed = text.trim();
  const match = [NUMERIC, MONTH_FIRST, DAY_FIRST].map((form) => form.exec(trimmed)).find(Boolean);
  const time = match && parseTime(trimmed.slice(match[0].length));
  if (!match || !time) return undefined;
  const { year, month = '', day } = match.groups as Record<string, string>;
  const named = MONTHS.findIndex((name) => name.startsWith(month.toLowerCase())) + 1;
  const monthNumber = /^\d/.test(month) ? Number(month) : named;
  const local = new Date(Date.UTC(Number(year), monthNumber - 1, Number(day)));
  const isReal =
    local.getUTCFullYear() === Number(year) &&
    local.getUTCMonth() === monthNumber - 1 &&
    local.getUTCDate() === Number(day);
  const date = new Date(local.getTime() + time.milliseconds - time.offsetMinutes * 60_000);
  return isReal && date.getUTCFullYear() >= 1970 && date.getUTCFullYear() <= 9999 ? date : undefined;
}

/** Returns undefined if the time or the offset is out of range (RFC 3339, section 5.6). */
function parseTime(text: string): { milliseconds: number; offsetMinutes: number } | undefined {
  if (text === '') return { milliseconds: 0, offsetMinutes: 0 };
  const match = TIME_OF_DAY.exec(text);
  const offset = offsetMinutes(match?.groups?.['zone'] ?? 'Z');
  if (!match || offset === undefined) return undefined;
  const [, hours, minutes, seconds = '0', fraction = ''] = match;
  if (Number(hours) > 23 || Number(minutes) > 59 || Number(seconds) > 59) return undefined;
  const milliseconds = Number(fraction.slice(0, 3).padEnd(3, '0'));
  return {
    milliseconds: ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1_000 + milliseconds,
    offsetMinutes: offset,
  };
}

function offsetMinutes(zone: string): number | undefined {
  const [, sign, hours, minutes] = /^([+-])(\d{2}):?(\d{2})$/.exec(zone) ?? [];
  if (sign === undefined) return 0;
  if (Number(hours) > 23 || Number(minutes) > 59) return undefined;
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
}

const TIME = String.raw`(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(?:\s*([AaPp])\.?[Mm]\b\.?)?`;
const ZONE = String.raw`(Z|z|UTC|GMT|[+-]\d{2}:?\d{2})?`;
const WEEKDAY = String.raw`(?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*\.?,?\s+)?`;
/** `2024-12-09`, RFC 3339, Jekyll's `2024-12-09 10:00:00 +0900` or `2024/12/9`. */
const NUMERIC = /^(\d{4})([-/])(\d{1,2})\2(\d{1,2})(?![\d-/])/;
/** `Mar 3, 2024`, `Sunday, March 3rd, 2024`. */
const MONTH_FIRST = new RegExp(
  String.raw`^${WEEKDAY}([a-z]{3,9})\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})(?!\d)`,
  'i',
);
/** `3 March 2024`, `Sun, 03 Mar 2024 10:00:00 +0000` (RFC 5322). */
const DAY_FIRST = new RegExp(
  String.raw`^${WEEKDAY}(\d{1,2})(?:st|nd|rd|th)?\s+([a-z]{3,9})\.?,?\s+(\d{4})(?!\d)`,
  'i',
);
const TIME_OF_DAY = new RegExp(String.raw`^(?:[Tt]|,?\s+(?:at\s+)?)${TIME}\s*${ZONE}$`);
const MONTHS = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
];

interface Day {
  year: number;
  /** From 1. */
  month: number;
  day: number;
  /** The text after the day. */
  rest: string;
}

/**
 * Parses a front matter date from 1970 to 9999. The default time zone is UTC. Returns undefined if invalid, for example
 * February 30, and for `03/04/2024`, which is a day in March or in April.
 */
export function parseDate(text: string): Date | undefined {
  const day = parseDay(text.trim());
  const time = day && parseTime(day.rest);
  if (!day || !time) return undefined;
  const local = new Date(Date.UTC(day.year, day.month - 1, day.day));
  const isReal =
    local.getUTCFullYear() === day.year &&
    local.getUTCMonth() === day.month - 1 &&
    local.getUTCDate() === day.day;
  const date = new Date(local.getTime() + time.milliseconds - time.offsetMinutes * 60_000);
  return isReal && date.getUTCFullYear() >= 1970 && date.getUTCFullYear() <= 9999 ? date : undefined;
}

function parseDay(text: string): Day | undefined {
  const numeric = NUMERIC.exec(text);
  const named = numeric ? null : (MONTH_FIRST.exec(text) ?? DAY_FIRST.exec(text));
  if (numeric) {
    const [whole, year, , month, day] = numeric;
    return { year: Number(year), month: Number(month), day: Number(day), rest: text.slice(whole.length) };
  }
  if (!named) return undefined;
  const [whole, first = '', second = '', year] = named;
  const [name, day] = /^\d/.test(first) ? [second, first] : [first, second];
  const month = MONTHS.findIndex((candidate) => candidate.startsWith(name.toLowerCase())) + 1;
  return { year: Number(year), month, day: Number(day), rest: text.slice(whole.length) };
}

/** Returns undefined if the time or the offset is out of range (RFC 3339, section 5.6). */
function parseTime(text: string): { milliseconds: number; offsetMinutes: number } | undefined {
  if (text === '') return { milliseconds: 0, offsetMinutes: 0 };
  const [whole, hours = '', minutes = '', seconds = '0', fraction = '', half, zone = 'Z'] =
    TIME_OF_DAY.exec(text) ?? [];
  const offset = offsetMinutes(zone);
  const hour = half === undefined ? Number(hours) : hourOfHalf(Number(hours), half);
  if (whole === undefined || offset === undefined || hour === undefined) return undefined;
  if (hour > 23 || Number(minutes) > 59 || Number(seconds) > 59) return undefined;
  const milliseconds = Number(fraction.slice(0, 3).padEnd(3, '0'));
  return {
    milliseconds: ((hour * 60 + Number(minutes)) * 60 + Number(seconds)) * 1_000 + milliseconds,
    offsetMinutes: offset,
  };
}

/** Returns the hour from 0 to 23 of `12 am` to `11 pm`. */
function hourOfHalf(hour: number, half: string): number | undefined {
  if (hour < 1 || hour > 12) return undefined;
  return (hour % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
}

function offsetMinutes(zone: string): number | undefined {
  const [, sign, hours, minutes] = /^([+-])(\d{2}):?(\d{2})$/.exec(zone) ?? [];
  if (sign === undefined) return 0;
  if (Number(hours) > 23 || Number(minutes) > 59) return undefined;
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
}

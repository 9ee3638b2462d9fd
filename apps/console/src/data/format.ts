import { ALERT_TYPE_TITLES } from './alert-type-titles.ts';
import { MINUTE_MS } from './durations.ts';
import type { AlertType } from './queries.ts';

const integer = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
const decimal = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 });
const aligned = new Intl.NumberFormat('en-US', { minimumFractionDigits: 1, maximumFractionDigits: 1 });
const significant = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 2 });

/** What a view shows for an unknown value. Null is unknown, never zero. */
export const NO_DATA = 'no data';

/** Full digits: 20,431, never 20k. */
export function formatCount(value: number): string {
  return integer.format(value);
}

/** At most one decimal, below 1 two significant digits, from 1,000 on none, with its unit; `no data` for null. */
export function formatMeasure(value: number | null | undefined, unit = ''): string {
  if (value === null || value === undefined) return NO_DATA;
  const size = Math.abs(value);
  const number = (size < 1 ? significant : size < 1_000 ? decimal : integer).format(value);
  return unit === '' ? number : `${number} ${unit}`;
}

/** Exactly one decimal, so that the decimal points of a column are aligned; `no data` for null. */
export function formatColumn(value: number | null, unit: string): string {
  return value === null ? NO_DATA : `${aligned.format(value)} ${unit}`;
}

/** Watts, from 1,000 on kilowatts; `no data` for null. */
export function formatPower(watts: number | null): string {
  return watts !== null && watts >= 1_000
    ? formatMeasure(watts / 1_000, 'kW')
    : formatMeasure(watts && Math.round(watts), 'W');
}

/** Returns the name of an alert type in words; that of a type that this console does not know from its parts. */
export function alertTypeTitle(type: string): string {
  if (Object.hasOwn(ALERT_TYPE_TITLES, type)) return ALERT_TYPE_TITLES[type as AlertType];
  const text = type.replaceAll('_', ' ');
  return `${text[0]?.toUpperCase() ?? ''}${text.slice(1)}`;
}

const STEPS: [seconds: number, unit: Intl.RelativeTimeFormatUnit][] = [
  [60, 'second'],
  [3_600, 'minute'],
  [86_400, 'hour'],
  [604_800, 'day'],
  [2_629_800, 'week'],
  [31_557_600, 'month'],
  [Infinity, 'year'],
];
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'always', style: 'short' });

/** Returns `3 min ago` or `in 2 hr`; `now` within 5 seconds. */
export function formatRelative(ms: number, nowMs: number): string {
  const seconds = (ms - nowMs) / 1_000;
  if (Math.abs(seconds) < 5) return 'now';
  let divisor = 1;
  for (const [limit, unit] of STEPS) {
    if (Math.abs(seconds) < limit) {
      return relative.format(Math.trunc(seconds / divisor), unit).replace('.', '');
    }
    divisor = limit;
  }
  return '';
}

export type TimeZone = 'local' | 'utc';

/** Returns `2026-11-22 14:02:07`, for uses that show the zone in another place. */
export function formatDateTime(ms: number, zone: TimeZone): string {
  // In UTC, the fields of the shifted time are those of the local time.
  return new Date(ms - offsetMinutes(ms, zone) * MINUTE_MS).toISOString().slice(0, 19).replace('T', ' ');
}

/** Returns `2026-11-22 14:02:07 UTC+1`. */
export function formatExact(ms: number, zone: TimeZone): string {
  return `${formatDateTime(ms, zone)} ${zoneName(ms, zone)}`;
}

/** Returns `14:02:07 UTC+1`. */
export function formatClock(ms: number, zone: TimeZone): string {
  return formatExact(ms, zone).slice(11);
}

/** Returns the zone at a time: `UTC`, or its offset such as `UTC-5` and `UTC+5:30`, which changes with daylight saving. */
export function zoneName(ms: number, zone: TimeZone): string {
  const minutes = -offsetMinutes(ms, zone);
  if (minutes === 0) return 'UTC';
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  return `UTC${minutes < 0 ? '-' : '+'}${hours}${rest === 0 ? '' : `:${String(rest).padStart(2, '0')}`}`;
}

/** Returns the minutes from a time in the zone to UTC, as `Date.getTimezoneOffset` does. */
function offsetMinutes(ms: number, zone: TimeZone): number {
  return zone === 'utc' ? 0 : new Date(ms).getTimezoneOffset();
}

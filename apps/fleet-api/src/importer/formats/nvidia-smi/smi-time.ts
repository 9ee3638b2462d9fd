import { MINUTE_MS, parseTimestamp } from '@gpu-observatory/domain-types';

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** Parses a local time of the host such as `Fri Aug  4 11:44:30 2023`; null if it is not a time. */
export function smiTime(text: string | undefined, utcOffsetMinutes: number): Date | null {
  const [, month = '', day = '', clock = '', year = ''] =
    /^\w{3} (\w{3}) +(\d{1,2}) (\d{2}:\d{2}:\d{2}) (\d{4})$/.exec(text ?? '') ?? [];
  const number = String(MONTHS.indexOf(month) + 1).padStart(2, '0');
  const instant = parseTimestamp(`${year}-${number}-${day.padStart(2, '0')}T${clock}Z`);
  return instant === null ? null : new Date(instant.getTime() - utcOffsetMinutes * MINUTE_MS);
}

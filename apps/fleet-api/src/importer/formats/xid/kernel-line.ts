import { withoutControlSequences } from '../../run/log-unwrapper.ts';
import { DAY_MS, MINUTE_MS, parseTimestamp } from '@gpu-observatory/domain-types';

/** Completes times that lack a date or a zone. */
export interface ClockHints {
  /** Boot time of the host, for lines with seconds since boot. */
  bootTimeMs: number | null;
  /** Offset of times without a zone. */
  utcOffsetMinutes: number;
  nowMs: number;
}

export interface KernelLine {
  /** Null if the line has none. */
  host: string | null;
  atMs: number;
  /** The text of the driver, without the prefix of the logger. */
  message: string;
  /** The kernel's time since boot, in microseconds; absent in formats without it. */
  stampMicroseconds?: number;
}

const END_OF_9999_MS = 253_402_300_799_999;
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const ISO = String.raw`\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}:\d{2}(?:[.,]\d+)?(?:Z|[+-]\d{2}:?\d{2})?`;
/** Absent with journalctl --no-hostname. */
const HOST = String.raw`(?:(?<host>\S+) )?(?:kernel|kern)(?:\[\d+\])?: ?`;
/** Seconds since boot; dmesg -d and journalctl -o short-delta add the time since the line before. */
const UPTIME = String.raw`\[ *(?<uptime>\d+\.\d+)(?: <[^>\]]*>)?\]`;

type Groups = Record<string, string | undefined>;
type Time = (groups: Groups, hints: ClockHints) => number | string;

/** Line formats, the most specific first. */
const FORMATS: [pattern: RegExp, time: Time][] = [
  // journalctl -o short-iso and short-iso-precise, rsyslog's file format
  [new RegExp(`^(?<iso>${ISO}) ${HOST}`), isoTime],
  // RFC 5424
  [new RegExp(`^<\\d+>1 (?<iso>${ISO}) (?<host>\\S+) \\S+ \\S+ \\S+ (?:-|\\[.*?\\]) (?:\\uFEFF)?`), isoTime],
  // journalctl -o short-full
  [
    new RegExp(
      `^[A-Z][a-z]{2} (?<date>\\d{4}-\\d{2}-\\d{2}) (?<clock>\\d{2}:\\d{2}:\\d{2}(?:\\.\\d+)?) (?<zone>[A-Z]{1,5}|[+-]\\d{2}(?::?\\d{2})?) ${HOST}`,
    ),
    fullTime,
  ],
  // journalctl -o short-unix
  [new RegExp(`^(?<unix>\\d{9,10}\\.\\d+) ${HOST}`), ({ unix }) => Number(unix) * 1_000],
  // journalctl and RFC 3164
  [
    new RegExp(
      `^(?:<\\d+>)?(?<month>[A-Z][a-z]{2}) +(?<day>\\d{1,2}) (?<clock>\\d{2}:\\d{2}:\\d{2}(?:\\.\\d+)?) ${HOST}`,
    ),
    yearlessTime,
  ],
  // journalctl -o short-monotonic
  [new RegExp(`^${UPTIME} ${HOST}`), uptimeTime],
  // dmesg --time-format iso
  [new RegExp(`^(?<iso>${ISO}) `), isoTime],
  // dmesg -T
  [
    /^\[[A-Z][a-z]{2} (?<month>[A-Z][a-z]{2}) +(?<day>\d{1,2}) (?<clock>\d{2}:\d{2}:\d{2}) (?<year>\d{4})\] /,
    ({ month = '', day, clock, year }, hints) => localTime(Number(year), month, day, clock, hints),
  ],
  // dmesg, dmesg -r, pstore, and a console with the number of the task in a second bracket
  [new RegExp(`^(?:<\\d+>)?${UPTIME}(?: |\\[)`), uptimeTime],
  // /dev/kmsg
  [
    /^\d+,\d+,(?<microseconds>\d+),[^;]*;/,
    ({ microseconds }, hints) => sinceBoot(Number(microseconds) / 1_000, hints),
  ],
];

/** The kernel's time since boot, in seconds. */
const STAMP = /\[ *(\d{1,9})\.(\d{6})[\] ]/;

/** Removes facility and level, which dmesg -x prints first. */
export function withoutLevel(text: string): string {
  return text.replace(/^[a-z]+ *:[a-z]+ *: /, '');
}

/** Begin of the driver's text. */
const DRIVER = /NVRM: |nvidia-nvswitch\d*: /;

/** Strips the prefix of the logger. */
export function driverText(text: string): string {
  const message = text.slice(DRIVER.exec(text)?.index ?? 0);
  // /dev/kmsg and dmesg escape the line feeds of a message.
  return message.includes('\\x0a') ? message.replaceAll('\\x0a', '\n') : message;
}

/** Parses host, time and message of a kernel log line, in any format of dmesg, journalctl and syslog. */
export function readKernelLine(text: string, hints: ClockHints): KernelLine | { fault: string } {
  if (text.startsWith('{')) return readJsonEntry(text, hints);
  const message = driverText(text);
  const before = withoutLevel(text.slice(0, DRIVER.exec(text)?.index ?? 0));
  for (const [pattern, time] of FORMATS) {
    const groups = pattern.exec(before)?.groups;
    if (!groups) continue;
    const line = dated(time(groups, hints), groups.host ?? null, message);
    const [, seconds, fraction] = STAMP.exec(before) ?? [];
    const stampMicroseconds = Number(groups.microseconds ?? `${seconds}${fraction}`);
    return 'fault' in line || !Number.isSafeInteger(stampMicroseconds)
      ? line
      : { ...line, stampMicroseconds };
  }
  return { fault: 'the line has no time in a format of dmesg, journalctl or syslog' };
}

/** Parses journalctl -o json, or an entry of dmesg --json on one line. */
function readJsonEntry(text: string, hints: ClockHints): KernelLine | { fault: string } {
  let entry: Record<string, unknown>;
  try {
    entry = JSON.parse(text) as Record<string, unknown>;
  } catch (failure) {
    return { fault: `not JSON: ${(failure as Error).message}` };
  }
  const { msg, time } = entry;
  if (typeof msg === 'string' && (typeof time === 'number' || typeof time === 'string'))
    return readKernelLine(plainLine(typeof time === 'number' ? time.toFixed(6) : time, msg), hints);
  const { _HOSTNAME, _SOURCE_REALTIME_TIMESTAMP, __REALTIME_TIMESTAMP } = entry;
  const microseconds = Number(_SOURCE_REALTIME_TIMESTAMP ?? __REALTIME_TIMESTAMP);
  if (!Number.isSafeInteger(microseconds)) return { fault: 'the entry has no __REALTIME_TIMESTAMP' };
  const host = typeof _HOSTNAME === 'string' ? _HOSTNAME : null;
  const line = dated(Math.floor(microseconds / 1_000), host, driverText(journalMessage(entry)));
  return 'fault' in line ? line : { ...line, stampMicroseconds: microseconds };
}

/** Returns a line of plain dmesg, in the format of its time. */
export function plainLine(time: string, message: string): string {
  return /^\d{4}-/.test(time) ? `${time} ${message}` : `[${time}] ${message}`;
}

/** Returns the message of a journal entry: a string, or an array of bytes if it is not printable. */
function journalMessage({ MESSAGE }: Record<string, unknown>): string {
  return withoutControlSequences(
    Array.isArray(MESSAGE) ? Buffer.from(MESSAGE as number[]).toString('utf8') : String(MESSAGE),
  );
}

const BYTES_MESSAGE = /"MESSAGE"\s*:\s*\[/;

/** Returns the text in which to search for messages of the driver: decoded if the journal has it as bytes. */
export function searchableText(text: string): string {
  if (!text.startsWith('{') || !BYTES_MESSAGE.test(text)) return text;
  try {
    return journalMessage(JSON.parse(text) as Record<string, unknown>);
  } catch {
    return text;
  }
}

function dated(atMs: number | string, host: string | null, message: string): KernelLine | { fault: string } {
  if (typeof atMs === 'string') return { fault: atMs };
  if (!(atMs >= 0 && atMs <= END_OF_9999_MS)) return { fault: 'the time is not between 1970 and 9999' };
  return { host, atMs, message };
}

function isoTime({ iso = '' }: Groups, { utcOffsetMinutes }: ClockHints): number | string {
  const zone = /(?:Z|[+-]\d{2}:?\d{2})$/.exec(iso.slice(10))?.[0];
  const clock = (zone === undefined ? iso : iso.slice(0, -zone.length)).replace(' ', 'T').replace(',', '.');
  const instant = parseTimestamp(`${clock}${zone?.replace(/([+-]\d{2}):?(\d{2})/, '$1:$2') ?? 'Z'}`);
  if (instant === null) return `invalid time: ${iso}`;
  return instant.getTime() - (zone === undefined ? utcOffsetMinutes * MINUTE_MS : 0);
}

/** Parses a time with the abbreviation of a zone. Only UTC is unambiguous: other abbreviations mean the local zone. */
function fullTime({ date = '', clock = '', zone = '' }: Groups, hints: ClockHints): number | string {
  const isLocal = /^[A-Z]/.test(zone) && !/^(?:UTC|GMT|Z)$/.test(zone);
  const offset = zone.length === 3 ? `${zone}:00` : zone;
  return isoTime({ iso: `${date}T${clock}${isLocal ? '' : /^[+-]/.test(zone) ? offset : 'Z'}` }, hints);
}

/** Completes a time without a year: the last year in which it is not in the future. */
export function yearlessTime({ month = '', day, clock }: Groups, hints: ClockHints): number | string {
  const year = new Date(hints.nowMs + hints.utcOffsetMinutes * MINUTE_MS).getUTCFullYear();
  const thisYear = localTime(year, month, day, clock, hints);
  const isAhead = typeof thisYear === 'number' && thisYear > hints.nowMs + DAY_MS;
  return isAhead || typeof thisYear === 'string' ? localTime(year - 1, month, day, clock, hints) : thisYear;
}

function localTime(
  year: number,
  month: string,
  day = '',
  clock = '',
  { utcOffsetMinutes }: ClockHints,
): number | string {
  const number = String(MONTHS.indexOf(month.toLowerCase()) + 1).padStart(2, '0');
  const instant = parseTimestamp(`${year}-${number}-${day.padStart(2, '0')}T${clock}Z`);
  return instant === null
    ? `invalid time: ${month} ${day} ${clock} ${year}`
    : instant.getTime() - utcOffsetMinutes * MINUTE_MS;
}

function uptimeTime({ uptime }: Groups, hints: ClockHints): number | string {
  return sinceBoot(Number(uptime) * 1_000, hints);
}

function sinceBoot(milliseconds: number, { bootTimeMs }: ClockHints): number | string {
  return bootTimeMs === null
    ? 'the line has seconds since boot: set --boot-time "$(date -u -d "$(uptime -s)" +%FT%TZ)"'
    : Math.round(bootTimeMs + milliseconds);
}

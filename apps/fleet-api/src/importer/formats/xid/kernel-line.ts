import { parseTimestamp } from '@gpu-observatory/domain-types';

/** How times are read that do not say everything themselves. */
export interface ClockHints {
  /** When the machine started, for lines that count seconds since then. */
  bootTimeMs: number | null;
  /** Of lines without a zone. */
  utcOffsetMinutes: number;
  nowMs: number;
}

export interface KernelLine {
  /** Null where the line says none. */
  host: string | null;
  atMs: number;
  /** What the driver wrote, without what loggers put before it. */
  message: string;
}

const END_OF_9999_MS = 253_402_300_799_999;
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const ISO = String.raw`\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}:\d{2}(?:[.,]\d+)?(?:Z|[+-]\d{2}:?\d{2})?`;
const HOST = String.raw`(?<host>\S+) (?:kernel|kern)(?:\[\d+\])?: ?`;

type Groups = Record<string, string | undefined>;
type Time = (groups: Groups, hints: ClockHints) => number | string;

/** The dialects, the most telling first; `rest` is the message, perhaps with the kernel's own stamp before it. */
const DIALECTS: [pattern: RegExp, time: Time][] = [
  // journalctl -o short-iso and short-iso-precise, rsyslog's file format
  [new RegExp(`^(?<iso>${ISO}) ${HOST}`), isoTime],
  // RFC 5424
  [new RegExp(`^<\\d+>1 (?<iso>${ISO}) (?<host>\\S+) \\S+ \\S+ \\S+ (?:-|\\[.*?\\]) (?:\\uFEFF)?`), isoTime],
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
  [new RegExp(`^\\[ *(?<uptime>\\d+\\.\\d+)\\] ${HOST}`), uptimeTime],
  // dmesg --time-format iso
  [new RegExp(`^(?<iso>${ISO}) `), isoTime],
  // dmesg -T
  [
    /^\[[A-Z][a-z]{2} (?<month>[A-Z][a-z]{2}) +(?<day>\d{1,2}) (?<clock>\d{2}:\d{2}:\d{2}) (?<year>\d{4})\] /,
    ({ month = '', day, clock, year }, hints) => localTime(Number(year), month, day, clock, hints),
  ],
  // dmesg, dmesg -r, and what is kept of a kernel that panicked
  [/^(?:<\d+>)?\[ *(?<uptime>\d+\.\d+)\] /, uptimeTime],
  // /dev/kmsg
  [
    /^\d+,\d+,(?<microseconds>\d+),[^;]*;/,
    ({ microseconds }, hints) => sinceBoot(Number(microseconds) / 1_000, hints),
  ],
];

/** Where the driver's own words begin. */
const DRIVER = /NVRM: |nvidia-nvswitch\d*: /;

/** The line without what loggers put before the driver's own words. */
export function driversWords(text: string): string {
  return text.slice(DRIVER.exec(text)?.index ?? 0);
}

/** Reads who, when and what of a line of a kernel's log, in any of the forms that the loggers of Linux write. */
export function readKernelLine(text: string, hints: ClockHints): KernelLine | { fault: string } {
  if (text.startsWith('{')) return readJournalEntry(text);
  const message = driversWords(text);
  // dmesg -x begins with facility and level.
  const before = text.slice(0, text.length - message.length).replace(/^[a-z]+ *:[a-z]+ *: /, '');
  for (const [pattern, time] of DIALECTS) {
    const groups = pattern.exec(before)?.groups;
    if (!groups) continue;
    return dated(time(groups, hints), groups.host ?? null, message);
  }
  return { fault: 'the line says no time: it should begin as dmesg, journalctl or syslog write it' };
}

/** journalctl -o json: a field is a text, or its bytes where it is no plain one. */
function readJournalEntry(text: string): KernelLine | { fault: string } {
  let entry: Groups;
  try {
    entry = JSON.parse(text) as Groups;
  } catch (failure) {
    return { fault: `not JSON: ${(failure as Error).message}` };
  }
  const { MESSAGE, _HOSTNAME, _SOURCE_REALTIME_TIMESTAMP, __REALTIME_TIMESTAMP } = entry as Record<
    string,
    unknown
  >;
  const microseconds = Number(_SOURCE_REALTIME_TIMESTAMP ?? __REALTIME_TIMESTAMP);
  if (!Number.isSafeInteger(microseconds)) return { fault: 'the entry has no __REALTIME_TIMESTAMP' };
  const message = Array.isArray(MESSAGE)
    ? Buffer.from(MESSAGE as number[]).toString('utf8')
    : String(MESSAGE);
  const host = typeof _HOSTNAME === 'string' ? _HOSTNAME : null;
  return dated(Math.floor(microseconds / 1_000), host, driversWords(message));
}

function dated(atMs: number | string, host: string | null, message: string): KernelLine | { fault: string } {
  if (typeof atMs === 'string') return { fault: atMs };
  if (!(atMs >= 0 && atMs <= END_OF_9999_MS)) return { fault: 'the time lies beyond all calendars' };
  return { host, atMs, message };
}

function isoTime({ iso = '' }: Groups, { utcOffsetMinutes }: ClockHints): number | string {
  const zone = /(?:Z|[+-]\d{2}:?\d{2})$/.exec(iso.slice(10))?.[0];
  const clock = (zone === undefined ? iso : iso.slice(0, -zone.length)).replace(' ', 'T').replace(',', '.');
  const instant = parseTimestamp(`${clock}${zone?.replace(/([+-]\d{2}):?(\d{2})/, '$1:$2') ?? 'Z'}`);
  if (instant === null) return `the time is none: ${iso}`;
  return instant.getTime() - (zone === undefined ? utcOffsetMinutes * 60_000 : 0);
}

/** Syslog leaves the year out: it is the last one in which the day was not ahead. */
function yearlessTime({ month = '', day, clock }: Groups, hints: ClockHints): number | string {
  const year = new Date(hints.nowMs + hints.utcOffsetMinutes * 60_000).getUTCFullYear();
  const thisYear = localTime(year, month, day, clock, hints);
  const isAhead = typeof thisYear === 'number' && thisYear > hints.nowMs + 86_400_000;
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
    ? `the time is none: ${month} ${day} ${clock} ${year}`
    : instant.getTime() - utcOffsetMinutes * 60_000;
}

function uptimeTime({ uptime }: Groups, hints: ClockHints): number | string {
  return sinceBoot(Number(uptime) * 1_000, hints);
}

function sinceBoot(milliseconds: number, { bootTimeMs }: ClockHints): number | string {
  return bootTimeMs === null
    ? 'the line counts seconds since the host started: give --boot-time "$(date -u -d "$(uptime -s)" +%FT%TZ)"'
    : Math.round(bootTimeMs + milliseconds);
}

import { DAY_MS, MINUTE_MS, parseTimestamp } from '@gpu-observatory/domain-types';

/** Values that complete times without a date or a zone. */
export interface ClockHints {
  /** Boot time of the host, for lines with seconds since boot; null when unknown. */
  bootTimeMs: number | null;
  /** Offset of times without a zone. */
  utcOffsetMinutes: number;
  nowMs: number;
}

/** A time in ms since the epoch, or the reason that it is missing. */
export type Time = { atMs: number } | { fault: string };
/** Named groups of a line format. */
type Groups = Record<string, string | undefined>;

const CLOCK = String.raw`(?<clock>\d{2}:\d{2}:\d{2}(?:\.\d+)?)`;
const DAY = String.raw`(?<month>[A-Z][a-z]{2}) +(?<day>\d{1,2})`;
const ISO = String.raw`\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}:\d{2}(?:[.,]\d+)?(?:Z|[+-]\d{2}:?\d{2})?`;
/** The host (absent with journalctl --no-hostname), then the kernel, or name and process id of a program that repeats its lines. */
const HOST = String.raw`(?:(?<host>\S+) )?(?:kern(?:el)?(?:\[\d+\])?: ?|[A-Za-z][^\s:[\]]*\[\d+\]: )`;
/** Seconds since boot; dmesg -d and journalctl -o short-delta add the time since the previous line. */
const UPTIME = String.raw`\[ *(?<uptime>\d+\.\d+)(?: <[^>\]]*>)?\]`;

/** Formats of the prefix of a kernel log line, the most specific first. */
export const FORMATS: [prefix: RegExp, time: (groups: Groups, hints: ClockHints) => Time][] = [
  // journalctl -o short-iso and short-iso-precise, rsyslog's file format
  [prefix`(?<iso>${ISO}) ${HOST}`, isoTime],
  // RFC 5424
  [prefix`<\d+>1 (?<iso>${ISO}) (?<host>\S+) \S+ \S+ \S+ (?:-|\[.*?\]) (?:\uFEFF)?`, isoTime],
  // journalctl -o short-full
  [
    prefix`[A-Z][a-z]{2} (?<date>\d{4}-\d{2}-\d{2}) ${CLOCK} (?<zone>[A-Z]{1,5}|[+-]\d{2}(?::?\d{2})?) ${HOST}`,
    zonedTime,
  ],
  // journalctl -o short-unix
  [prefix`(?<unix>\d{9,10}\.\d+) ${HOST}`, ({ unix }) => ({ atMs: Number(unix) * 1_000 })],
  // journalctl and RFC 3164
  [prefix`(?:<\d+>)?${DAY} ${CLOCK} ${HOST}`, yearlessTime],
  // journalctl -o short-monotonic
  [prefix`${UPTIME} ${HOST}`, timeSinceBoot],
  // dmesg --time-format iso
  [prefix`(?<iso>${ISO})[ \t]`, isoTime],
  // dmesg -T
  [prefix`\[[A-Z][a-z]{2} ${DAY} (?<clock>\d{2}:\d{2}:\d{2}) (?<year>\d{4})\] `, localTime],
  // The fabric manager
  [prefix`\[${DAY} (?<year>\d{4}) ${CLOCK}\] `, localTime],
  // klog (node-problem-detector)
  [prefix`[IWEF](?<month>\d{2})(?<day>\d{2}) ${CLOCK} +\d+ \S+\] `, yearlessTime],
  // logfmt
  [prefix`(?:.*?\s)?(?:time|ts|timestamp)="?(?<iso>${ISO})`, isoTime],
  // dmesg, dmesg -r, pstore, and a console with the number of the task in a second bracket
  [prefix`(?:<\d+>)?${UPTIME}(?: |\[)`, timeSinceBoot],
  // /dev/kmsg
  [prefix`\d+,\d+,(?<microseconds>\d+),[^;]*;`, timeSinceBoot],
];

/** Returns the pattern of a prefix. With dmesg -x, facility and level precede it. */
export function prefix(parts: TemplateStringsArray, ...values: string[]): RegExp {
  return new RegExp(`^(?:[a-z]+ *:[a-z]+ *: )?${String.raw(parts, ...values)}`);
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** Parses an ISO 8601 time, with or without a zone. */
function isoTime({ iso = '' }: Groups, { utcOffsetMinutes }: ClockHints): Time {
  const zone = /(?:Z|[+-]\d{2}:?\d{2})$/.exec(iso.slice(10))?.[0];
  const clock = (zone === undefined ? iso : iso.slice(0, -zone.length)).replace(' ', 'T').replace(',', '.');
  const instant = parseTimestamp(`${clock}${zone?.replace(/([+-]\d{2}):?(\d{2})/, '$1:$2') ?? 'Z'}`);
  if (instant === null) return { fault: `invalid time: ${iso}` };
  return { atMs: instant.getTime() - (zone === undefined ? utcOffsetMinutes * MINUTE_MS : 0) };
}

/** Parses a time whose zone is an offset or an abbreviation. */
function zonedTime({ date = '', clock = '', zone = '' }: Groups, hints: ClockHints): Time {
  return isoTime({ iso: `${date}T${clock}${isoZone(zone)}` }, hints);
}

/** Converts a zone to ISO 8601. Of the abbreviations, only UTC is unambiguous; for others, returns '' (the local zone). */
function isoZone(zone: string): string {
  if (/^[+-]/.test(zone)) return zone.length === '+02'.length ? `${zone}:00` : zone;
  return /^(?:UTC|GMT|Z)$/.test(zone) ? 'Z' : '';
}

/** Parses a time with a month, by name or number, in the local zone. */
function localTime(groups: Groups, hints: ClockHints, year = Number(groups['year'])): Time {
  const { month = '', day = '', clock = '' } = groups;
  const number = Number(month) || MONTHS.indexOf(month.toLowerCase()) + 1;
  const instant = parseTimestamp(
    `${year}-${String(number).padStart(2, '0')}-${day.padStart(2, '0')}T${clock}Z`,
  );
  return instant === null
    ? { fault: `invalid time: ${month} ${day} ${clock} ${year}` }
    : { atMs: instant.getTime() - hints.utcOffsetMinutes * MINUTE_MS };
}

/** Parses a time without a year. The year is the last in which the time is not in the future, with a tolerance of one day. */
export function yearlessTime(groups: Groups, hints: ClockHints): Time {
  const year = new Date(hints.nowMs + hints.utcOffsetMinutes * MINUTE_MS).getUTCFullYear();
  const thisYear = localTime(groups, hints, year);
  const isPast = 'atMs' in thisYear && thisYear.atMs <= hints.nowMs + DAY_MS;
  return isPast ? thisYear : localTime(groups, hints, year - 1);
}

/** Parses seconds or microseconds since boot. */
function timeSinceBoot({ uptime, microseconds }: Groups, { bootTimeMs }: ClockHints): Time {
  const sinceBootMs = uptime === undefined ? Number(microseconds) / 1_000 : Number(uptime) * 1_000;
  const fault = 'the line has seconds since boot: set --boot-time "$(date -u -d "$(uptime -s)" +%FT%TZ)"';
  return bootTimeMs === null ? { fault } : { atMs: Math.round(bootTimeMs + sinceBootMs) };
}

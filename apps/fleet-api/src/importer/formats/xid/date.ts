import { parseJsonLine } from '../../run/json-line.ts';
import { withoutControlSequences } from '../../run/log-unwrapper.ts';
import { type ClockHints, FORMATS, prefix, type Time, yearlessTime } from './line-formats.ts';
import { plainLine } from './unwrap.ts';

/** A line with its time. */
export interface DatedLine {
  kind: 'dated';
  /** Null if the line has none. */
  host: string | null;
  atMs: number;
  /** The text of the driver, without the prefix of the logger. */
  message: string;
  /** The kernel's time since boot, in microseconds; 0 in formats without it. */
  stampMicroseconds: number;
}

/** A line without a valid time. */
export interface UndatedLine {
  kind: 'undated';
  fault: string;
  message: string;
}

/** The kernel's time since boot, in seconds. */
const STAMP = /\[ *(\d{1,9})\.(\d{6})[\] ]/;
/** Begin of the driver's text. */
const DRIVER = /NVRM: |nvidia-nvswitch\d*: /;
const END_OF_9999_MS = 253_402_300_799_999;

/**
 * Second stage: parses host, time and message of a line, in any format of dmesg, journalctl and syslog.
 *
 * @param otherMs time of the line from elsewhere, for lines without a valid time; null without one
 */
export function date(text: string, otherMs: number | null, hints: ClockHints): DatedLine | UndatedLine {
  const line = text.startsWith('{') ? dateEntry(text, hints) : datePrefix(text, hints);
  if (!('fault' in line)) return line;
  const message = driverText(text);
  const other = otherMs === null ? line : dated({ atMs: otherMs }, null, message, 0);
  return 'fault' in other ? { kind: 'undated', fault: other.fault, message } : other;
}

function datePrefix(text: string, hints: ClockHints): DatedLine | { fault: string } {
  const before = text.slice(0, DRIVER.exec(text)?.index ?? 0);
  for (const [pattern, time] of FORMATS) {
    const groups = pattern.exec(before)?.groups;
    if (groups === undefined) continue;
    const { host = null, microseconds = STAMP.exec(before)?.slice(1).join('') } = groups;
    return dated(time(groups, hints), host, driverText(text), Number(microseconds));
  }
  return { fault: 'the line has no time in a format of dmesg, journalctl or syslog' };
}

/** Parses an entry of journalctl -o json, or one of dmesg --json on one line. */
function dateEntry(text: string, hints: ClockHints): DatedLine | { fault: string } {
  const json = parseJsonLine({ text });
  if ('fault' in json) return json;
  const { msg, time, MESSAGE, ...entry } = json.value as Record<string, unknown>;
  if (typeof msg === 'string' && (typeof time === 'number' || typeof time === 'string'))
    return datePrefix(plainLine(typeof time === 'number' ? time.toFixed(6) : time, msg), hints);
  const { _HOSTNAME, _SOURCE_REALTIME_TIMESTAMP, __REALTIME_TIMESTAMP } = entry;
  const microseconds = Number(_SOURCE_REALTIME_TIMESTAMP ?? __REALTIME_TIMESTAMP);
  if (!Number.isSafeInteger(microseconds)) return { fault: 'the entry has no __REALTIME_TIMESTAMP' };
  const atMs = Math.floor(microseconds / 1_000);
  const host = typeof _HOSTNAME === 'string' ? _HOSTNAME : null;
  // An array of bytes if it is not printable.
  const message = Array.isArray(MESSAGE) ? Buffer.from(MESSAGE as number[]).toString() : String(MESSAGE);
  return dated({ atMs }, host, driverText(withoutControlSequences(message)), microseconds);
}

function dated(
  time: Time,
  host: string | null,
  message: string,
  stamp: number,
): DatedLine | { fault: string } {
  if ('fault' in time) return time;
  const { atMs } = time;
  if (!(atMs >= 0 && atMs <= END_OF_9999_MS)) return { fault: 'the time is not between 1970 and 9999' };
  const stampMicroseconds = Number.isSafeInteger(stamp) ? stamp : 0;
  return { kind: 'dated', host, atMs, message, stampMicroseconds };
}

/** Strips the prefix of the logger. */
function driverText(text: string): string {
  const message = text.slice(DRIVER.exec(text)?.index ?? 0);
  // /dev/kmsg and dmesg escape the line feeds of a message.
  return message.includes('\\x0a') ? message.replaceAll('\\x0a', '\n') : message;
}

const MINUTE = prefix`\[(?<month>[A-Z][a-z]{2}) *(?<day>\d{1,2}) (?<clock>\d{2}:\d{2})\] `;
const STEP = prefix`\[ *\+(\d+\.\d+)\] `;

/** Clock of `dmesg --human`, which prints a minute and then the seconds since the line before. */
export class RelativeClock {
  private atMs: number | null = null;

  /** Returns the time of the line in ms since the epoch; null if the line has another format. */
  read(text: string, hints: ClockHints): number | null {
    const minute = MINUTE.exec(text)?.groups;
    if (minute !== undefined) {
      const time = yearlessTime({ ...minute, clock: `${minute['clock']}:00` }, hints);
      this.atMs = 'atMs' in time ? time.atMs : null;
      return this.atMs;
    }
    const step = STEP.exec(text)?.[1];
    if (step === undefined || this.atMs === null) return null;
    this.atMs += Number(step) * 1_000;
    return this.atMs;
  }
}

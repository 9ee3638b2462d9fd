import { END_OF_9999_MS } from '@gpu-observatory/domain-types';
import { timeText } from '../../run/json-entries.ts';
import type { LogEntry } from '../../run/log-entry.ts';
import { type ClockHints, FORMATS, prefix, yearlessTime } from './line-formats.ts';
import { beginOfDriverText, driverText } from './recognize.ts';

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

/** The kernel's time since boot, in seconds, or the microseconds of a time. */
const STAMP = /\[ *(\d{1,9})\.(\d{6})[\] ]/;
const MICROSECONDS = /:\d{2}[.,]\d{3}(\d{3})/;

/**
 * Second stage: parses host, time and message of a line, in any format of dmesg, journalctl and syslog.
 *
 * @param around time and host from around the line, for a line without them
 */
export function date(
  text: string,
  around: Pick<LogEntry, 'time' | 'node' | 'host'>,
  hints: ClockHints,
): DatedLine | UndatedLine {
  const message = driverText(text);
  const own = datePrefix(text.slice(0, beginOfDriverText(text)), hints);
  const dated = 'fault' in own && around.time !== null ? datePrefix(`${around.time} kernel: `, hints) : own;
  if ('fault' in dated) return { kind: 'undated', fault: dated.fault, message };
  return { kind: 'dated', ...dated, host: dated.host ?? around.node ?? around.host, message };
}

function datePrefix(
  text: string,
  hints: ClockHints,
): Omit<DatedLine, 'kind' | 'message'> | { fault: string } {
  for (const [pattern, timeOf] of FORMATS) {
    const groups = pattern.exec(text)?.groups;
    if (groups === undefined) continue;
    const time = timeOf(groups, hints);
    if ('fault' in time) return time;
    const { atMs } = time;
    if (!(atMs >= 0 && atMs <= END_OF_9999_MS)) return { fault: 'the time is not between 1970 and 9999' };
    const stamp = STAMP.exec(text)?.slice(1).join('') ?? MICROSECONDS.exec(text)?.[1];
    const { host = null, microseconds = stamp } = groups;
    const stampMicroseconds = Number(microseconds ?? 0);
    return { host, atMs, stampMicroseconds: Number.isSafeInteger(stampMicroseconds) ? stampMicroseconds : 0 };
  }
  return {
    fault:
      'the line has no time in a format of dmesg, journalctl or syslog, or in a field of a log collector',
  };
}

const MINUTE = prefix`\[(?<month>[A-Z][a-z]{2}) *(?<day>\d{1,2}) (?<clock>\d{2}:\d{2})\] `;
const STEP = prefix`\[ *\+(\d+\.\d+)\] `;

/** Clock of `dmesg --human`, which prints a minute and then the seconds since the line before. */
export class RelativeClock {
  private atMs: number | null = null;

  /** Returns the time of the line; null if the line has another format. */
  read(text: string, hints: ClockHints): string | null {
    const atMs = this.readMs(text, hints);
    return atMs === null ? null : timeText(atMs / 1_000);
  }

  private readMs(text: string, hints: ClockHints): number | null {
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

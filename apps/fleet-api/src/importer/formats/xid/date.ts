import { END_OF_9999_MS } from '@gpu-observatory/domain-types';
import type { LogEntry } from '../../run/log-entry.ts';
import { splitDriverText } from './driver-text.ts';
import { type ClockHints, FORMATS } from './line-formats.ts';

/** A line with its time. */
export interface DatedLine {
  kind: 'dated';
  /** Null if neither the line nor its log entry has a host. */
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

/** The kernel's time since boot: seconds, then microseconds. */
const STAMP = /\[ *(\d{1,9})\.(\d{6})[\] ]/;
/** The digits of a clock after its milliseconds. */
const MICROSECONDS = /:\d{2}[.,]\d{3}(\d{3})/;

/**
 * Second stage: parses host, time and message of a line in any format of dmesg, journalctl and syslog.
 *
 * @param entry time and host of the log entry, which are used if the line has none
 */
export function date(
  text: string,
  entry: Pick<LogEntry, 'time' | 'node' | 'host'>,
  hints: ClockHints,
): DatedLine | UndatedLine {
  const { prefix, message } = splitDriverText(text);
  let dated = datePrefix(prefix, hints);
  if ('fault' in dated && entry.time !== null) dated = datePrefix(`${entry.time} kernel: `, hints);
  if ('fault' in dated) return { kind: 'undated', fault: dated.fault, message };
  return { kind: 'dated', ...dated, host: dated.host ?? entry.node ?? entry.host, message };
}

/** Parses the text before the message in the first format that matches. */
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

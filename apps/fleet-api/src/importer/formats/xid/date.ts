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
  /**
   * Order of lines with the same `atMs`: the kernel's time since boot in µs if the line has it, otherwise the µs of the clock after
   * its ms; 0 without either.
   */
  orderMicroseconds: number;
}

/** A line without a valid time. */
export interface UndatedLine {
  kind: 'undated';
  fault: string;
  message: string;
}

/** The kernel's time since boot: seconds, then microseconds. */
const SINCE_BOOT = /\[ *(\d{1,9})\.(\d{6})[\] ]/;
/** The digits of a clock after its milliseconds. */
const CLOCK_MICROSECONDS = /:\d{2}[.,]\d{3}(\d{3})/;

/**
 * Second stage: parses host, time and message of a line in any format of dmesg, journalctl and syslog.
 *
 * @param entry time and host of the log entry, for a line that has none or whose time cannot be parsed
 */
export function dateLine(
  text: string,
  entry: Pick<LogEntry, 'time' | 'node' | 'host'>,
  hints: ClockHints,
): DatedLine | UndatedLine {
  const { prefix, message } = splitDriverText(text);
  let parsed = parsePrefix(prefix, hints);
  // The time of the entry may have any format. In this prefix it is parsed like that of journalctl --no-hostname.
  if ('fault' in parsed && entry.time !== null) parsed = parsePrefix(`${entry.time} kernel: `, hints);
  if ('fault' in parsed) return { kind: 'undated', fault: parsed.fault, message };
  return { kind: 'dated', ...parsed, host: parsed.host ?? entry.node ?? entry.host, message };
}

/** Parses the text before the message in the first format that matches. */
function parsePrefix(
  prefix: string,
  hints: ClockHints,
): Omit<DatedLine, 'kind' | 'message'> | { fault: string } {
  for (const [pattern, timeOf] of FORMATS) {
    const groups = pattern.exec(prefix)?.groups;
    if (groups === undefined) continue;
    const time = timeOf(groups, hints);
    if ('fault' in time) return time;
    const { atMs } = time;
    if (!(atMs >= 0 && atMs <= END_OF_9999_MS)) return { fault: 'the time is not between 1970 and 9999' };
    const { host = null } = groups;
    return { host, atMs, orderMicroseconds: orderMicroseconds(prefix, groups['microseconds']) };
  }
  return {
    fault:
      'the line has no time in a format of dmesg, journalctl or syslog, or in a field of a log collector',
  };
}

/** @param sinceBoot the kernel's time since boot in µs, if the format of the prefix has it */
function orderMicroseconds(prefix: string, sinceBoot: string | undefined): number {
  // Seconds and their six decimals, concatenated, are microseconds.
  const stamp = SINCE_BOOT.exec(prefix)?.slice(1).join('');
  const order = Number(sinceBoot ?? stamp ?? CLOCK_MICROSECONDS.exec(prefix)?.[1] ?? 0);
  // A number of any length matches in /dev/kmsg.
  return Number.isSafeInteger(order) ? order : 0;
}

import type { LogEntry } from '../../run/log-unwrapper.ts';
import type { Line } from '../../run/lines.ts';
import { type ClockHints, plainLine, withoutLevel, yearlessTime } from './kernel-line.ts';

const JSON_TIME = /^\s*"time"\s*:\s*("?)([^"]+?)\1\s*,?\s*$/;
const JSON_MESSAGE = /^\s*"msg"\s*:\s*(".*")\s*,?\s*$/;

/** Converts the output of `dmesg --json`, which has one field per line, to lines of plain dmesg. */
export class DmesgJson {
  private time: string | null = null;

  /** Returns the plain line of a message, or the text unchanged. */
  toPlain(text: string): string {
    // Most lines are not JSON.
    if (!text.includes('"')) return text;
    const time = JSON_TIME.exec(text)?.[2];
    if (time !== undefined) {
      this.time = time;
      return text;
    }
    const message = JSON_MESSAGE.exec(text)?.[1];
    if (message === undefined || this.time === null) return text;
    return plainLine(this.time, parsed<string>(message) ?? message);
  }
}

const JSON_LIST = /^\s*(?:\{\s*"dmesg"\s*:\s*)?\[\s*\{/;

/** Returns whether a line is the output of `dmesg --json` without line feeds, or its beginning. */
export function isDmesgDocument(text: string): boolean {
  return JSON_LIST.test(text);
}

/** Splits the output of `dmesg --json` that is on one line into its messages, each with its own text. */
export function splitDmesg(entry: LogEntry): LogEntry[] {
  if (!isDmesgDocument(entry.text)) return [entry];
  const list = parsed<unknown[] | { dmesg?: unknown }>(entry.text);
  const messages = Array.isArray(list) ? list : list?.dmesg;
  if (!Array.isArray(messages)) return [entry];
  return messages.map((message) => {
    const text = JSON.stringify(message);
    return { ...entry, text, lines: [{ ...(entry.lines[0] as Line), text }] };
  });
}

function parsed<Value>(text: string): Value | null {
  try {
    return JSON.parse(text) as Value;
  } catch {
    return null;
  }
}

const MINUTE = /^\[(?<month>[A-Z][a-z]{2}) *(?<day>\d{1,2}) (?<clock>\d{2}:\d{2})\] /;
const STEP = /^\[ *\+(\d+\.\d+)\] /;

/** Clock of `dmesg --human`, which prints a minute and then the seconds since the line before. */
export class RelativeClock {
  private atMs: number | null = null;

  /** Returns the time of the line in ms since the epoch; null if the line has another format. */
  read(line: string, hints: ClockHints): number | null {
    const text = withoutLevel(line);
    if (!text.startsWith('[')) return null;
    const minute = MINUTE.exec(text)?.groups;
    if (minute !== undefined) {
      const atMs = yearlessTime({ ...minute, clock: `${minute['clock']}:00` }, hints);
      this.atMs = typeof atMs === 'number' ? atMs : null;
      return this.atMs;
    }
    const step = STEP.exec(text)?.[1];
    if (step === undefined || this.atMs === null) return null;
    this.atMs += Number(step) * 1_000;
    return this.atMs;
  }
}

import { type ClockHints, plainLine, yearlessTime } from './kernel-line.ts';

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
    return plainLine(this.time, parsed(message) ?? message);
  }
}

function parsed(text: string): string | null {
  try {
    return JSON.parse(text) as string;
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
  read(text: string, hints: ClockHints): number | null {
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

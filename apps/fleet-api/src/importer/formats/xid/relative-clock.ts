import { timeText } from '../../run/time-text.ts';
import { type ClockHints, prefix, yearlessTime } from './line-formats.ts';

/** The first line of a minute. */
const MINUTE = prefix`\[(?<month>[A-Z][a-z]{2}) *(?<day>\d{1,2}) (?<clock>\d{2}:\d{2})\] `;
/** A further line, with the seconds since the previous one. */
const STEP = prefix`\[ *\+(\d+\.\d+)\] `;

/** Clock of `dmesg --human`, which prints a minute, and then for each line the seconds since the previous one. */
export class RelativeClock {
  /** Time of the previous line in ms since the epoch; null without one. */
  private atMs: number | null = null;

  /** Advances to the time of a line, and returns it; null if the line has another format. */
  advance(text: string, hints: ClockHints): string | null {
    const atMs = this.advanceMs(text, hints);
    return atMs === null ? null : timeText(atMs / 1_000);
  }

  private advanceMs(text: string, hints: ClockHints): number | null {
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

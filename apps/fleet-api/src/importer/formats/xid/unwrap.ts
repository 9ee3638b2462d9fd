import { parseJsonLine } from '../../run/json-line.ts';
import { type LogEntry, LogUnwrapper } from '../../run/log-unwrapper.ts';
import type { Line } from '../../run/lines.ts';

const JSON_TIME = /^\s*"time"\s*:\s*("?)([^"]+?)\1\s*,?\s*$/;
const JSON_MESSAGE = /^\s*"msg"\s*:\s*(".*")\s*,?\s*$/;
const JSON_LIST = /^\s*(?:\{\s*"dmesg"\s*:\s*)?\[\s*\{/;

/** First stage: unwraps log entries, and converts the output of `dmesg --json` to one entry per message. */
export class Unwrapper extends LogUnwrapper {
  /** Time of the next message of `dmesg --json`, which prints one field per line. */
  private time: string | null = null;

  override unwrap(line: Line): LogEntry[] {
    return super
      .unwrap(line)
      .flatMap(splitDmesg)
      .map((entry) => ({ ...entry, text: this.toPlain(entry.text) }));
  }

  /** Returns a message of `dmesg --json` as a line of plain dmesg; other text unchanged. */
  private toPlain(text: string): string {
    // Most lines are not JSON.
    if (!text.includes('"')) return text;
    const time = JSON_TIME.exec(text)?.[2];
    if (time !== undefined) {
      this.time = time;
      return text;
    }
    const message = JSON_MESSAGE.exec(text)?.[1];
    if (message === undefined || this.time === null) return text;
    const json = parseJsonLine({ text: message });
    return plainLine(this.time, 'fault' in json ? message : (json.value as string));
  }
}

/** Splits the output of `dmesg --json` that is on one line into its messages, each with its own text. */
function splitDmesg(entry: LogEntry): LogEntry[] {
  if (!JSON_LIST.test(entry.text)) return [entry];
  const json = parseJsonLine({ text: entry.text });
  if ('fault' in json) return [entry];
  const { dmesg: messages = json.value } = json.value as { dmesg?: unknown };
  if (!Array.isArray(messages)) return [entry];
  return messages.map((message) => {
    const text = JSON.stringify(message);
    return { ...entry, text, lines: [{ ...(entry.lines[0] as Line), text }] };
  });
}

/** Returns the fault of a line of the entry. */
export function lineFault({ text, lines }: LogEntry): string | undefined {
  const fault = lines.find((line) => line.fault !== undefined)?.fault;
  return fault !== undefined && JSON_LIST.test(text)
    ? `${fault}: import dmesg -J as it is printed, with one field per line`
    : fault;
}

/** Returns a line of plain dmesg, in the format of its time. */
export function plainLine(time: string, message: string): string {
  return /^\d{4}-/.test(time) ? `${time} ${message}` : `[${time}] ${message}`;
}

import { parseTimestamp } from '@gpu-observatory/domain-types';
import type { Line } from './lines.ts';

/** The text that a program logged, without the wrappers of container runtimes and log collectors. */
export interface LogEntry {
  text: string;
  /** Time in the innermost wrapper, in ms since the epoch; null without one. */
  atMs: number | null;
  /** The lines of the entry: several if the runtime split it. */
  lines: Line[];
}

const TIME = String.raw`\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})`;
/** kubectl logs --prefix */
const POD = /^\[pod\/\S+\] /;
/** Container Runtime Interface; P marks a part of an entry, F its end. */
const CRI = new RegExp(`^(?<time>${TIME}) (?:stdout|stderr) (?<part>[FP])(?::\\S+)? (?<text>.*)$`, 's');
/** kubectl logs --timestamps, before JSON, an uptime, a syslog priority or a date. Other text may belong to the time. */
const TIMESTAMP = new RegExp(`^(?<time>${TIME}) (?<text>(?:[{[]|<\\d|[A-Z][a-z]{2} +\\d|\\d{4}-).*)$`, 's');
/** Server-sent events (journalctl -o json-sse), and JSON text sequences (RFC 7464, journalctl -o json-seq). */
const JSON_FRAME = new RegExp(String.raw`^(?:data: ?|\u001E)(?=\{)`);
/** Syslog (RFC 3164, RFC 5424, rsyslog files) before JSON. */
const SYSLOG = new RegExp(
  `^(?:(?:<\\d+>)?(?:[A-Z][a-z]{2} +\\d{1,2} [\\d:]{8}|${TIME}) \\S+ \\S+: ?` +
    `|<\\d+>1 ${TIME} \\S+ \\S+ \\S+ \\S+ (?:-|\\[[^\\]]*\\]) ?\\uFEFF?)(?<text>\\{.*)$`,
  's',
);
const MAX_LAYERS = 4;
const MAX_ENTRY_LENGTH = 1024 * 1024;
const CONTROL_SEQUENCE = new RegExp(String.raw`\u001B\[[0-9;]*[A-Za-z]`, 'g');

/** Removes the escape sequences of terminals, such as colors. */
export function withoutControlSequences(text: string): string {
  return text.includes('\u001B') ? text.replace(CONTROL_SEQUENCE, '') : text;
}

/**
 * Unwraps log lines: terminal colors, `kubectl logs --timestamps` and `--prefix`, CRI, Docker's json-file, syslog before
 * JSON, and the framing of JSON in event streams and sequences. Joins entries that the runtime split.
 */
export class LogUnwrapper {
  private parts: { text: string; lines: Line[] } = { text: '', lines: [] };

  /** @returns null for a part of an entry that is not complete */
  unwrap(line: Line): LogEntry | null {
    let text = withoutControlSequences(line.text);
    let atMs: number | null = null;
    let isPart = false;
    for (let layer = 0; layer < MAX_LAYERS; layer += 1) {
      const inner = unwrapLayer(text);
      if (inner === null) break;
      text = withoutControlSequences(inner.text);
      atMs = inner.atMs ?? atMs;
      isPart ||= inner.isPart;
    }
    const lines = [...this.parts.lines, line];
    if (isPart && this.parts.text.length + text.length <= MAX_ENTRY_LENGTH) {
      this.parts = { text: this.parts.text + text, lines };
      return null;
    }
    const joined = this.parts.text + text;
    this.parts = { text: '', lines: [] };
    return { text: joined, atMs, lines };
  }

  /** Returns the lines of an entry whose end is missing. */
  incomplete(): Line[] {
    return this.parts.lines;
  }
}

function unwrapLayer(text: string): { text: string; atMs: number | null; isPart: boolean } | null {
  if (text.startsWith('{')) return dockerEntry(text);
  const prefix = (POD.exec(text) ?? JSON_FRAME.exec(text))?.[0];
  if (prefix !== undefined) return { text: text.slice(prefix.length), atMs: null, isPart: false };
  const groups = (CRI.exec(text) ?? TIMESTAMP.exec(text) ?? SYSLOG.exec(text))?.groups;
  if (groups === undefined) return null;
  return {
    text: groups['text'] as string,
    atMs: millisecondsOf(groups['time']),
    isPart: groups['part'] === 'P',
  };
}

/** Unwraps a line of Docker's json-file driver, or of a collector with the same field. */
function dockerEntry(text: string): { text: string; atMs: number | null; isPart: boolean } | null {
  if (!/"log"\s*:/.test(text)) return null;
  let entry: unknown;
  try {
    entry = JSON.parse(text);
  } catch {
    return null;
  }
  const { log, time, stream } = entry as Record<string, unknown>;
  if (typeof log !== 'string' || (time === undefined && stream === undefined)) return null;
  const isPart = stream !== undefined && time !== undefined && !log.endsWith('\n');
  return {
    text: log.replace(/\r?\n$/, ''),
    atMs: typeof time === 'string' ? millisecondsOf(time) : null,
    isPart,
  };
}

function millisecondsOf(time: string | undefined): number | null {
  return time === undefined ? null : (parseTimestamp(time)?.getTime() ?? null);
}

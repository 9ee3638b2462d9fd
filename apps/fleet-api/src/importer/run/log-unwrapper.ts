import { parseTimestamp } from '@gpu-observatory/domain-types';
import { parseJsonLine } from './json-line.ts';
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
/** Wrappers of a line, by the text within them. */
const WRAPPERS = [
  // kubectl logs --prefix: [pod/falco-x2x7p/falco] {"rule":…
  /^\[pod\/\S+\] (?<text>.*)$/s,
  // Server-sent events (journalctl -o json-sse): data: {"MESSAGE":…
  // JSON text sequences (RFC 7464, journalctl -o json-seq): a record separator, then {"MESSAGE":…
  new RegExp(String.raw`^(?:data: ?|\u001E)(?<text>\{.*)$`, 's'),
  // Container Runtime Interface: 2026-11-21T08:00:00.5Z stdout F {"rule":… P marks a part of an entry, F its end.
  new RegExp(`^(?<time>${TIME}) (?:stdout|stderr) (?<part>[FP])(?::\\S+)? (?<text>.*)$`, 's'),
  // kubectl logs --timestamps: 2026-11-21T08:00:00.5Z {"rule":… Before JSON, an uptime, a syslog priority or a date only: a
  // line such as "<time> <host> kernel: …" has no wrapper, but begins with its own time.
  new RegExp(`^(?<time>${TIME}) (?<text>(?:[{[]|<\\d|[A-Z][a-z]{2} +\\d|\\d{4}-).*)$`, 's'),
  // Syslog before JSON. RFC 3164: <13>Nov 21 08:00:00 node-7 falco: {"rule":… Files of rsyslog: 2026-11-21T08:00:00Z node-7
  // falco: {"rule":… RFC 5424: <13>1 2026-11-21T08:00:00Z node-7 falco 812 - - {"rule":…
  new RegExp(
    `^(?:(?:<\\d+>)?(?:[A-Z][a-z]{2} +\\d{1,2} [\\d:]{8}|${TIME}) \\S+ \\S+: ?` +
      `|<\\d+>1 ${TIME} \\S+ \\S+ \\S+ \\S+ (?:-|\\[[^\\]]*\\]) ?\\uFEFF?)(?<text>\\{.*)$`,
    's',
  ),
];
const MAX_LAYERS = 4;
const MAX_ENTRY_LENGTH = 1024 * 1024;
const CONTROL_SEQUENCE = new RegExp(String.raw`\u001B\[[0-9;]*[A-Za-z]`, 'g');

/** Removes the escape sequences of terminals, such as colors. */
export function withoutControlSequences(text: string): string {
  return text.includes('\u001B') ? text.replace(CONTROL_SEQUENCE, '') : text;
}

/** The text within a wrapper; a part if the runtime split the entry and this is not its end. */
type Layer = Pick<LogEntry, 'text' | 'atMs'> & { isPart: boolean };

/**
 * Unwraps log lines: terminal colors, `kubectl logs --timestamps` and `--prefix`, CRI, Docker's json-file, syslog before
 * JSON, and the framing of JSON in event streams and sequences. Joins entries that the runtime split.
 */
export class LogUnwrapper {
  private parts: { text: string; lines: Line[] } = { text: '', lines: [] };

  /** @returns no entry for a part of one that is not complete */
  unwrap(line: Line): LogEntry[] {
    const { text, atMs, isPart } = unwrapLayers(line.text);
    const joined = { text: this.parts.text + text, lines: [...this.parts.lines, line] };
    // An entry that is longer than the limit ends with this part, and its other parts begin another entry.
    if (isPart && joined.text.length <= MAX_ENTRY_LENGTH) {
      this.parts = joined;
      return [];
    }
    this.parts = { text: '', lines: [] };
    return [{ ...joined, atMs }];
  }

  /** Returns the lines of an entry whose end is missing. */
  incompleteLines(): Line[] {
    return this.parts.lines;
  }
}

function unwrapLayers(wrapped: string, maxLayers = MAX_LAYERS): Layer {
  const text = withoutControlSequences(wrapped);
  const layer = text.startsWith('{') ? dockerEntry(text) : innerLayer(text);
  if (layer === null || maxLayers === 0) return { text, atMs: null, isPart: false };
  const inner = unwrapLayers(layer.text, maxLayers - 1);
  return { text: inner.text, atMs: inner.atMs ?? layer.atMs, isPart: layer.isPart || inner.isPart };
}

function innerLayer(text: string): Layer | null {
  for (const wrapper of WRAPPERS) {
    const groups = wrapper.exec(text)?.groups;
    if (groups === undefined) continue;
    return {
      text: groups['text'] as string,
      atMs: millisecondsOf(groups['time']),
      isPart: groups['part'] === 'P',
    };
  }
  return null;
}

/** Unwraps a line of Docker's json-file driver, or of a collector with the same field. */
function dockerEntry(text: string): Layer | null {
  if (!/"log"\s*:/.test(text)) return null;
  const json = parseJsonLine({ text });
  if ('fault' in json) return null;
  const { log, time, stream } = json.value as Record<string, unknown>;
  if (typeof log !== 'string' || (time === undefined && stream === undefined)) return null;
  // Docker splits long lines: only the last part ends with a line break. Collectors with one of the two fields remove it.
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

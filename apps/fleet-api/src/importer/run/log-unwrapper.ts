import { JsonDocuments } from './json-documents.ts';
import { findInJson } from './json-entries.ts';
import { parseJsonLine } from './json-line.ts';
import type { Line } from './lines.ts';
import type { LogEntry } from './log-entry.ts';

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
  // falco: {"rule":…
  new RegExp(
    `^(?:<\\d+>)?(?:[A-Z][a-z]{2} +\\d{1,2} [\\d:]{8}|${TIME}) (?<host>\\S+) \\S+: ?(?<text>\\{.*)$`,
    's',
  ),
  // RFC 5424: <13>1 2026-11-21T08:00:00Z node-7 falco 812 - - {"rule":…
  new RegExp(
    `^<\\d+>1 ${TIME} (?<host>\\S+) \\S+ \\S+ \\S+ (?:-|\\[[^\\]]*\\]) ?\\uFEFF?(?<text>\\{.*)$`,
    's',
  ),
  // Up to two words before JSON: the tag of Fluentd, the stream of aws logs tail, the name of a container.
  new RegExp(`^(?:(?<time>${TIME})\\s+)?\\S+(?:\\s+\\S+)?\\s+(?<text>\\{\\s*".*\\})\\s*$`, 's'),
];
const MAX_LAYERS = 4;
const MAX_ENTRY_LENGTH = 1024 * 1024;
const CONTROL_SEQUENCE = new RegExp(String.raw`\u001B\[[0-9;]*[A-Za-z]`, 'g');
const JSON_TEXT = /^\s*(?:\{|\[\s*\{)/;

/** Removes the escape sequences of terminals, such as colors. */
export function withoutControlSequences(text: string): string {
  return text.includes('\u001B') ? text.replace(CONTROL_SEQUENCE, '') : text;
}

/** What an adapter reads, wherever it is in the JSON of a log collector. */
export interface SoughtValue {
  /** Returns whether a line may contain such a value. The JSON of other lines is not parsed. */
  mayBeIn: (text: string) => boolean;
  is: (value: unknown) => boolean;
}

/** The text within a wrapper; a part if the runtime split the entry and this is not its end. */
type Layer = Omit<LogEntry, 'lines'> & { isPart: boolean };

/**
 * Unwraps log lines: terminal colors, `kubectl logs --timestamps` and `--prefix`, CRI, Docker's json-file, a prefix before
 * JSON, the framing of JSON in event streams and sequences, and the JSON of log collectors. Joins entries that the runtime
 * split, and the lines of pretty-printed JSON.
 */
export class LogUnwrapper {
  private parts: { text: string; lines: Line[] } = { text: '', lines: [] };
  private readonly documents = new JsonDocuments();

  constructor(private readonly sought: SoughtValue) {}

  /** @returns no entry for a part of one that is not complete */
  unwrap(line: Line): LogEntry[] {
    const { isPart, ...layer } = unwrapLayers(line.text);
    const joined = { text: this.parts.text + layer.text, lines: [...this.parts.lines, line] };
    // An entry that is longer than the limit ends with this part, and its other parts begin another entry.
    if (isPart && joined.text.length <= MAX_ENTRY_LENGTH) {
      this.parts = joined;
      return [];
    }
    this.parts = { text: '', lines: [] };
    return this.documents.add({ ...layer, ...joined }).flatMap((entry) => this.readJson(entry));
  }

  /** Returns the lines of an entry whose end is missing. */
  incompleteLines(): Line[] {
    return [...this.documents.close().flatMap(({ lines }) => lines), ...this.parts.lines];
  }

  /** Returns an entry for each sought value in the JSON of an entry; an entry without one as it is. */
  private readJson(entry: LogEntry, maxLayers = MAX_LAYERS): LogEntry[] {
    if (maxLayers === 0 || !JSON_TEXT.test(entry.text) || !this.sought.mayBeIn(entry.text)) return [entry];
    const json = parseJsonLine(entry);
    if ('fault' in json) return [entry];
    const found = findInJson(json.value, this.sought.is);
    if (found.length === 0) return [entry];
    return found.flatMap(({ value, time, node, host }) => {
      const text = typeof value === 'string' ? value : JSON.stringify(value);
      const inner = unwrapLayers(text);
      const [first] = entry.lines as [Line];
      const within = {
        text: inner.text,
        time: inner.time ?? time ?? entry.time,
        node: inner.node ?? node ?? entry.node,
        host: inner.host ?? host ?? entry.host,
        lines: found.length === 1 ? entry.lines : [{ ...first, text }],
      };
      return value === json.value ? [{ ...within, text: entry.text }] : this.readJson(within, maxLayers - 1);
    });
  }
}

function unwrapLayers(wrapped: string, maxLayers = MAX_LAYERS): Layer {
  const text = withoutControlSequences(wrapped);
  const layer = text.startsWith('{') ? dockerEntry(text) : innerLayer(text);
  if (layer === null || maxLayers === 0) return { ...layerOf(text), isPart: false };
  const inner = unwrapLayers(layer.text, maxLayers - 1);
  return {
    ...inner,
    time: inner.time ?? layer.time,
    host: inner.host ?? layer.host,
    isPart: layer.isPart || inner.isPart,
  };
}

function layerOf(text: string, groups: Record<string, string | undefined> = {}): Omit<Layer, 'isPart'> {
  return { text, time: groups['time'] ?? null, node: null, host: groups['host'] ?? null };
}

function innerLayer(text: string): Layer | null {
  for (const wrapper of WRAPPERS) {
    const groups = wrapper.exec(text)?.groups;
    if (groups !== undefined)
      return { ...layerOf(groups['text'] as string, groups), isPart: groups['part'] === 'P' };
  }
  return null;
}

/** Unwraps a line of Docker's json-file driver. Docker splits long lines: only the last part ends with a line break. */
function dockerEntry(text: string): Layer | null {
  if (!/"log"\s*:/.test(text)) return null;
  const json = parseJsonLine({ text });
  if ('fault' in json) return null;
  const { log, time, stream, attrs: _attributes, ...others } = json.value as Record<string, unknown>;
  const isDocker = typeof stream === 'string' && Object.keys(others).length === 0;
  if (!isDocker || typeof log !== 'string' || typeof time !== 'string') return null;
  return { ...layerOf(log.replace(/\r?\n$/, ''), { time }), isPart: !log.endsWith('\n') };
}

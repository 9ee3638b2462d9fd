import { JsonDocuments } from './json-documents.ts';
import { findInJson } from './json-entries.ts';
import { parseJsonLine } from './json-line.ts';
import type { Line } from './lines.ts';
import type { LogEntry } from './log-entry.ts';
import { MAX_LAYERS, unwrapText } from './log-wrappers.ts';

const MAX_ENTRY_CHARACTERS = 1024 * 1024;
const JSON_TEXT = /^\s*(?:\{|\[\s*\{)/;

/** Describes the values that an adapter reads. They may be anywhere in the JSON of a log collector. */
interface SoughtValue {
  /** Returns whether a line may contain such a value. The JSON of other lines is not parsed. */
  mayContain: (text: string) => boolean;
  /** Returns whether a value in JSON is such a value. */
  matches: (value: unknown) => boolean;
}

/**
 * Unwraps log lines: terminal colors, `kubectl logs --timestamps` and `--prefix`, CRI, Docker's json-file, a prefix before
 * JSON, the framing of JSON in event streams and sequences, and the JSON of log collectors. Joins entries that the runtime
 * split, and the lines of pretty-printed JSON.
 */
export class LogUnwrapper {
  /** The parts of an entry whose end is missing so far. */
  private parts: { text: string; lines: Line[] } = { text: '', lines: [] };
  private readonly documents = new JsonDocuments();

  constructor(private readonly sought: SoughtValue) {}

  /** Adds a line. @returns the entries that it completes */
  unwrap(line: Line): LogEntry[] {
    const { isPart, ...unwrapped } = unwrapText(line.text);
    const joined = { text: this.parts.text + unwrapped.text, lines: [...this.parts.lines, line] };
    // An entry that is longer than the limit ends with this part, and its other parts begin another entry.
    if (isPart && joined.text.length <= MAX_ENTRY_CHARACTERS) {
      this.parts = joined;
      return [];
    }
    this.parts = { text: '', lines: [] };
    return this.documents
      .add({ ...unwrapped, ...joined, node: null })
      .flatMap((entry) => this.readJson(entry));
  }

  /** Removes and returns the lines of an entry whose end is missing. */
  takeIncompleteLines(): Line[] {
    const lines = [...this.documents.takeLines().flatMap((entry) => entry.lines), ...this.parts.lines];
    this.parts = { text: '', lines: [] };
    return lines;
  }

  /** Returns an entry for each sought value in the JSON of an entry, or the entry itself if it has none. */
  private readJson(entry: LogEntry, maxLayers = MAX_LAYERS): LogEntry[] {
    if (maxLayers === 0 || !JSON_TEXT.test(entry.text) || !this.sought.mayContain(entry.text)) return [entry];
    const json = parseJsonLine(entry);
    if ('fault' in json) return [entry];
    const found = findInJson(json.value, this.sought.matches);
    if (found.length === 0) return [entry];
    return found.flatMap(({ value, time, node, host }) => {
      // The entry is itself the value, without a collector around it.
      if (value === json.value) return [{ ...entry, node: node ?? entry.node, json }];
      const text = typeof value === 'string' ? value : JSON.stringify(value);
      const inner = unwrapText(text);
      const [first] = entry.lines as [Line];
      const innerEntry = {
        text: inner.text,
        time: inner.time ?? time ?? entry.time,
        node: node ?? entry.node,
        host: inner.host ?? host ?? entry.host,
        // Of several values in a line, each has only its own text for the reject file.
        lines: found.length === 1 ? entry.lines : [{ ...first, text }],
      };
      return this.readJson(innerEntry, maxLayers - 1);
    });
  }
}

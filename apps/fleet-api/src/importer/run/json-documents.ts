import type { LogEntry } from './log-entry.ts';

const MAX_DOCUMENT_LENGTH = 1024 * 1024;
/** A line of pretty-printed JSON. */
const JSON_LINE = /^\s*(?:"|[\s[\]{},]*$|(?:-?\d[\d.eE+-]*|true|false|null),?$)/;
/** First lines of an object that only contains a list of objects, such as `{"dmesg": [`. */
const LIST_FIELD = /^\s*"[^"]*"\s*:\s*\[$/;
/** Lines around the elements of a list, and lines between them. */
const FRAME = /^[\s[\]{},]*$/;

/** Joins the lines of pretty-printed JSON: an object that begins and ends with a brace on a line of its own is one entry. */
export class JsonDocuments {
  private entries: LogEntry[] = [];
  private indent = '';
  private length = 0;

  /** @returns no entry for a line of an object that is not complete */
  add(entry: LogEntry): LogEntry[] {
    const text = entry.text.trimEnd();
    const opening = /^(\s*)\{$/.exec(text)?.[1];
    if (this.entries.length === 0) {
      if (opening === undefined) return [FRAME.test(text) ? { ...entry, text: '' } : entry];
      return this.open(entry, opening);
    }
    if (opening !== undefined && this.entries.length === 2 && LIST_FIELD.test(this.entries[1]?.text ?? ''))
      return [...this.close().map((frame) => ({ ...frame, text: '' })), ...this.open(entry, opening)];
    this.entries.push(entry);
    this.length += text.length;
    if (!JSON_LINE.test(text) || this.length > MAX_DOCUMENT_LENGTH) return this.close();
    // dmesg --json prints `},{` between objects.
    const end = /^(\s*)\}(,?\{?|,)$/.exec(text);
    if (end?.[1] !== this.indent) return [];
    const lines = this.close();
    const document = joined(lines);
    if (end[2]?.endsWith('{')) this.open({ ...entry, text: '{', lines: [] }, this.indent);
    return [document];
  }

  /** Returns the entries of an object whose end is missing. */
  close(): LogEntry[] {
    const { entries } = this;
    this.entries = [];
    this.length = 0;
    return entries;
  }

  private open(entry: LogEntry, indent: string): LogEntry[] {
    this.entries = [entry];
    this.indent = indent;
    return [];
  }
}

function joined(entries: LogEntry[]): LogEntry {
  const [first] = entries as [LogEntry];
  const inner = entries.slice(1, -1).map(({ text }) => text);
  return { ...first, text: ['{', ...inner, '}'].join('\n'), lines: entries.flatMap(({ lines }) => lines) };
}

import type { LogEntry } from './log-entry.ts';

const MAX_DOCUMENT_CHARACTERS = 1024 * 1024;
/** A line of pretty-printed JSON. */
const JSON_LINE = /^\s*(?:"|[\s[\]{},]*$|(?:-?\d[\d.eE+-]*|true|false|null),?$)/;
/** The opening brace of an object on a line of its own, by its indentation. */
const OPENING = /^(\s*)\{$/;
/** The closing brace of an object, by its indentation. dmesg --json prints `},{` between objects. */
const CLOSING = /^(\s*)\},?\{?$/;
/** Second line of an object that only contains a list of objects, such as `"dmesg": [` after `{`. */
const LIST_FIELD = /^\s*"[^"]*"\s*:\s*\[$/;
/** A line around the elements of a list, or between them. */
const FRAME = /^[\s[\]{},]*$/;

/**
 * Joins the lines of pretty-printed JSON: an object that begins and ends with a brace on a line of its own is one entry. Lines around
 * the objects of a list become entries with an empty text, as blank lines. Of `dmesg --json`:
 *
 *     {                                ''
 *        "dmesg": [                    ''
 *           {
 *              "msg": "usb 1-1: reset"
 *           },{                        {"msg": "usb 1-1: reset"}
 */
export class JsonDocuments {
  /** The lines of an object whose end is missing so far. */
  private lines: LogEntry[] = [];
  /** Indentation of the braces of this object. */
  private indent = '';
  /** Number of characters of its lines. */
  private characters = 0;

  /** Adds a line. @returns the entries that it completes: an object, or lines that are not part of one */
  add(line: LogEntry): LogEntry[] {
    const text = line.text.trimEnd();
    const opening = OPENING.exec(text)?.[1];
    if (opening !== undefined && (this.lines.length === 0 || this.isListFrame())) {
      // If lines are open, they are the brace and the field of a list. Its elements become entries.
      const frame = this.takeLines().map(blank);
      this.begin(line, opening);
      return frame;
    }
    if (this.lines.length === 0) return [FRAME.test(text) ? blank(line) : line];
    this.lines.push(line);
    this.characters += text.length;
    if (!JSON_LINE.test(text) || this.characters > MAX_DOCUMENT_CHARACTERS) return this.takeLines();
    if (CLOSING.exec(text)?.[1] !== this.indent) return [];
    const document = joined(this.takeLines());
    // `},{` also opens the next object. The line is counted for the one that it closes.
    if (text.endsWith('{')) this.begin({ ...line, text: '{', lines: [] }, this.indent);
    return [document];
  }

  /** Ends the open object, and returns its lines. */
  takeLines(): LogEntry[] {
    const { lines } = this;
    this.lines = [];
    this.characters = 0;
    return lines;
  }

  private begin(line: LogEntry, indent: string): void {
    this.lines = [line];
    this.indent = indent;
  }

  /** Returns whether the open object only contains a list so far, whose objects are entries of their own. */
  private isListFrame(): boolean {
    return this.lines.length === 2 && LIST_FIELD.test(this.lines[1]?.text ?? '');
  }
}

function blank(line: LogEntry): LogEntry {
  return { ...line, text: '' };
}

function joined(lines: LogEntry[]): LogEntry {
  const [first] = lines as [LogEntry];
  const inner = lines.slice(1, -1).map(({ text }) => text);
  return { ...first, text: ['{', ...inner, '}'].join('\n'), lines: lines.flatMap((line) => line.lines) };
}

import type { Line } from '../../run/lines.ts';

/** A part of the input, with the line that its faults are reported at. */
export type SmiInput =
  | { document: [Line, ...Line[]] }
  /** PCI address of a GPU that the driver has lost, which has no document. */
  | { lost: string; line: Line }
  | { fault: string; line: Line };

/** Maximum length of a document. The document of 16 GPUs has half a megabyte. */
const MAX_DOCUMENT_CHARACTERS = 64 * 1024 * 1024;
const END = '</nvidia_smi_log>';
/** The tags that begin a document, in their order. All but the last may be absent. */
const FIRST_TAGS = [/^<\?xml\s/, /^<!DOCTYPE\s/, /^<nvidia_smi_log\b/];
const ROOT_TAG = FIRST_TAGS.length - 1;
/** A line that begins with markup; help texts of nvidia-smi contain `<no arguments>`. */
const MARKUP = /^\s*<(?:[?!]|\/?[a-z_][\w.-]*(?:\s+[\w:.-]+=|\s*\/?>))/i;
/** Splits a line before and after a document: a program that is killed and restarted continues in the middle of a line. */
const PARTS = /(?=<\?xml\s|<!DOCTYPE\s|<nvidia_smi_log\b)|(?<=<\/nvidia_smi_log>)/;

/** Message of nvidia-smi in place of a document when the driver does not reach a GPU. Newer drivers add its number. */
const LOST_GPU = /device handle for GPU ?(?:\d+: )?([0-9a-f]{4,8}:[0-9a-f]{2}:[0-9a-f]{2}\.[0-9a-f])/i;
const PLAIN_TEXT = 'not XML: import the output of nvidia-smi -q -x, not of nvidia-smi -q';
const OUTSIDE = 'text outside of a document';

/** Splits a file or stream into documents. */
export class SmiDocuments {
  private open: Line[] = [];
  private characters = 0;
  /** Index in `FIRST_TAGS` of the last such tag in the open document. */
  private lastTag = ROOT_TAG;
  /** Whether the input has a line of XML, or of a lost GPU. */
  isRecognized = false;
  /** The first line that is not empty. */
  firstText = '';

  /** Adds a line, and returns the documents that it ends. */
  add(line: Line): SmiInput[] {
    return line.text.split(PARTS).flatMap((text) => this.addPart({ ...line, text }));
  }

  /** Drops the open document, whose end is missing. Returns its fault, if there is one. */
  end(): SmiInput[] {
    return this.fail(`the document does not end: ${END} is missing`);
  }

  /** Adds a part of a line. @returns the document that it ends, and the faults of documents without an end */
  private addPart(part: Line): SmiInput[] {
    const { text } = part;
    const tag = FIRST_TAGS.findIndex((pattern) => pattern.test(text));
    // A tag out of order begins another document: the open one has no end.
    const incomplete = tag !== -1 && tag <= this.lastTag ? this.end() : [];
    if (this.open.length === 0) {
      if (text.trim() === '') return [];
      this.firstText ||= text;
      const [, lost] = LOST_GPU.exec(text) ?? [];
      if (lost !== undefined) {
        this.isRecognized = true;
        return [{ lost, line: part }];
      }
      if (!MARKUP.test(text))
        return [{ fault: part.fault ?? (this.isRecognized ? OUTSIDE : PLAIN_TEXT), line: part }];
      this.isRecognized = true;
      this.lastTag = ROOT_TAG;
    }
    if (tag !== -1) this.lastTag = tag;
    this.open.push(part);
    this.characters += text.length;
    if (text.endsWith(END)) return [...incomplete, { document: this.close() as [Line, ...Line[]] }];
    if (this.characters <= MAX_DOCUMENT_CHARACTERS) return incomplete;
    return this.fail(`the document is longer than ${MAX_DOCUMENT_CHARACTERS} characters`);
  }

  /** Drops the open document. Returns the fault at its first line, or nothing without an open document. */
  private fail(fault: string): SmiInput[] {
    const [line] = this.close();
    return line === undefined ? [] : [{ fault, line }];
  }

  /** Removes and returns the lines of the open document. */
  private close(): Line[] {
    const lines = this.open;
    this.open = [];
    this.characters = 0;
    return lines;
  }
}

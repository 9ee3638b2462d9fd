import type { Line } from '../../run/lines.ts';

/** A document, or the line by which something goes that is none, with its reason. */
export type SmiInput = { document: [Line, ...Line[]] } | { fault: string; line: Line };

/** Sixteen GPUs are half a megabyte. */
const LARGEST_DOCUMENT_CHARACTERS = 64 * 1024 * 1024;
const END = '</nvidia_smi_log>';
/** A document may begin with any of these, and has each once, in this order: one out of order begins another document. */
const BEGINNINGS = [/^<\?xml\s/, /^<!DOCTYPE\s/, /^<nvidia_smi_log\b/];
const CONTENT = BEGINNINGS.length - 1;
/** Where a line has more than one piece: a program that is killed and started again goes on in the middle of it. */
const PIECES = /(?=<\?xml\s|<!DOCTYPE\s|<nvidia_smi_log\b)|(?<=<\/nvidia_smi_log>)/;

const PLAIN_TEXT =
  'not XML: nvidia-smi writes XML with -x, so give what nvidia-smi -q -x writes, not nvidia-smi -q';
const OUTSIDE = 'not XML, and outside of a document';

/** Tells the documents of one file or stream from each other, and from what is said between them. */
export class SmiDocuments {
  private open: Line[] = [];
  private characters = 0;
  /** How far the open document is, as an index of `BEGINNINGS`. */
  private stage = CONTENT;
  private isXml = false;

  /** Takes the next line, and returns what it ends. */
  take(line: Line): SmiInput[] {
    return line.text.split(PIECES).flatMap((text) => this.takePiece({ ...line, text }));
  }

  /** The input ends here, and with it the document that is open. */
  end(): SmiInput[] {
    return this.fail(`the document does not end: ${END} is missing`);
  }

  private takePiece(piece: Line): SmiInput[] {
    const { text } = piece;
    const beginning = BEGINNINGS.findIndex((pattern) => pattern.test(text));
    const cut = beginning !== -1 && beginning <= this.stage ? this.end() : [];
    if (this.open.length === 0) {
      if (text.trim() === '') return [];
      if (!text.trimStart().startsWith('<'))
        return [{ fault: piece.fault ?? (this.isXml ? OUTSIDE : PLAIN_TEXT), line: piece }];
      this.isXml = true;
      this.stage = CONTENT;
    }
    if (beginning !== -1) this.stage = beginning;
    this.open.push(piece);
    this.characters += text.length;
    if (text.endsWith(END)) return [...cut, { document: this.close() as [Line, ...Line[]] }];
    if (this.characters <= LARGEST_DOCUMENT_CHARACTERS) return cut;
    return this.fail(`the document is longer than it can be (${LARGEST_DOCUMENT_CHARACTERS} characters)`);
  }

  private fail(fault: string): SmiInput[] {
    const [line] = this.close();
    return line === undefined ? [] : [{ fault, line }];
  }

  private close(): Line[] {
    const lines = this.open;
    this.open = [];
    this.characters = 0;
    return lines;
  }
}

import { isUtf8 } from 'node:buffer';

/** A line of a file, without its line break. */
export interface Line {
  /** Line number, from 1. */
  number: number;
  text: string;
  /** Reason that the line cannot be read. */
  fault?: string;
}

/** Longer than any record; bounds memory for input without newlines. */
const MAX_LINE_BYTES = 1024 * 1024;
const NEWLINE = 0x0a;

/**
 * Yields the lines of each chunk as it arrives. A line that is not UTF-8 or is too long has a fault. The last line needs no
 * newline.
 */
export async function* readLines(
  input: AsyncIterable<Buffer | string>,
  maxBytes: number = MAX_LINE_BYTES,
): AsyncGenerator<Line[]> {
  /** The start of a line whose end has not arrived. */
  let rest: Buffer = Buffer.alloc(0);
  let number = 0;
  /** Whether the rest of a line that is too long is being skipped. */
  let isSkipping = false;
  for await (const chunk of input) {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    const buffer: Buffer = rest.length > 0 ? Buffer.concat([rest, bytes]) : bytes;
    const lines: Line[] = [];
    let start = 0;
    for (let end = buffer.indexOf(NEWLINE); end !== -1; end = buffer.indexOf(NEWLINE, start)) {
      // The newline of a line that is too long: its start was yielded already.
      if (isSkipping) isSkipping = false;
      else lines.push(toLine(++number, buffer.subarray(start, end), maxBytes));
      start = end + 1;
    }
    rest = buffer.subarray(start);
    if (rest.length > maxBytes) {
      if (!isSkipping) lines.push(toLine(++number, rest, maxBytes));
      isSkipping = true;
      rest = Buffer.alloc(0);
    }
    if (lines.length > 0) yield lines;
  }
  if (rest.length > 0 && !isSkipping) yield [toLine(number + 1, rest, maxBytes)];
}

/** Number of bytes of a line that is too long that the reject file quotes. */
const QUOTED_BYTES = 1_000;
const BYTE_ORDER_MARK = '\uFEFF';

function toLine(number: number, bytes: Buffer, maxBytes: number): Line {
  if (bytes.length > maxBytes) {
    return {
      number,
      text: `${bytes.subarray(0, QUOTED_BYTES).toString('utf8')}…`,
      fault: `the line is longer than ${maxBytes} bytes`,
    };
  }
  const end = bytes.length > 0 && bytes[bytes.length - 1] === 0x0d ? bytes.length - 1 : bytes.length;
  const decoded = bytes.toString('utf8', 0, end);
  const text = number === 1 && decoded.startsWith(BYTE_ORDER_MARK) ? decoded.slice(1) : decoded;
  return text.includes('\uFFFD') && !isUtf8(bytes)
    ? { number, text, fault: number === 1 ? encodingFault(bytes) : 'the line is not UTF-8' }
    : { number, text };
}

/** First bytes of gzip and Zstandard files, and of UTF-16 text. */
const OTHER_ENCODINGS: readonly { hex: string; fault: string }[] = [
  { hex: '1f8b', fault: 'the input is compressed with gzip: import what gunzip -c prints' },
  { hex: '28b52ffd', fault: 'the input is compressed with Zstandard: import what zstd -dc prints' },
  { hex: 'fffe', fault: 'the input is UTF-16: convert it to UTF-8' },
  { hex: 'feff', fault: 'the input is UTF-16: convert it to UTF-8' },
];

function encodingFault(bytes: Buffer): string {
  const begin = bytes.toString('hex', 0, 4);
  return OTHER_ENCODINGS.find(({ hex }) => begin.startsWith(hex))?.fault ?? 'the line is not UTF-8';
}

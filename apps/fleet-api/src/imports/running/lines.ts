import type { Readable } from 'node:stream';

export interface Line {
  /** From 1. */
  number: number;
  text: string;
  fault?: string;
}

/** Longer than any record: a source that never ends a line must not fill the memory. */
const MAX_LINE_BYTES = 1024 * 1024;
const NEWLINE = 0x0a;

/**
 * The lines of a stream, as many at a time as have arrived, so that a stream that pauses is not waited for. A line that
 * is not UTF-8 or is too long comes with its fault; a last line without a newline counts.
 */
export async function* readLines(input: Readable): AsyncGenerator<Line[]> {
  let rest: Buffer = Buffer.alloc(0);
  let number = 0;
  let skipping = false;
  for await (const chunk of input as AsyncIterable<Buffer | string>) {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    const buffer: Buffer = rest.length > 0 ? Buffer.concat([rest, bytes]) : bytes;
    const lines: Line[] = [];
    let start = 0;
    for (let end = buffer.indexOf(NEWLINE); end !== -1; end = buffer.indexOf(NEWLINE, start)) {
      if (skipping) skipping = false;
      else lines.push(toLine(++number, buffer.subarray(start, end)));
      start = end + 1;
    }
    rest = buffer.subarray(start);
    if (rest.length > MAX_LINE_BYTES) {
      if (!skipping) lines.push(toLine(++number, rest));
      skipping = true;
      rest = Buffer.alloc(0);
    }
    if (lines.length > 0) yield lines;
  }
  if (rest.length > 0 && !skipping) yield [toLine(number + 1, rest)];
}

function toLine(number: number, bytes: Buffer): Line {
  if (bytes.length > MAX_LINE_BYTES) {
    return {
      number,
      text: `${bytes.subarray(0, 1000).toString('utf8')}…`,
      fault: `the line is longer than ${MAX_LINE_BYTES} bytes`,
    };
  }
  const end = bytes.length > 0 && bytes[bytes.length - 1] === 0x0d ? bytes.length - 1 : bytes.length;
  const text = bytes.toString('utf8', 0, end);
  return text.includes('\uFFFD') && !isUtf8(bytes)
    ? { number, text, fault: 'the line is not UTF-8' }
    : { number, text };
}

function isUtf8(bytes: Buffer): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

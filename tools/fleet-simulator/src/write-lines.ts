import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setImmediate } from 'node:timers/promises';

/** Minimum number of characters per write. */
const CHUNK_LENGTH = 64 * 1024;

/** Errors of a pipe whose reader has closed it. */
const READER_CLOSED = ['EPIPE', 'ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE'];

/**
 * Writes each line with a line break and ends the output, with backpressure. Returns without an error when the reader closes
 * it. After `signal` the output ends with a whole line.
 *
 * @throws other errors of the output, and errors of the lines
 */
export async function writeLines(
  lines: Iterable<string> | AsyncIterable<string>,
  output: Writable,
  signal: AbortSignal,
): Promise<void> {
  try {
    await pipeline(chunks(lines, signal), output);
  } catch (error) {
    if (!READER_CLOSED.includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}

/** Generates the output until `signal`, and lets other work of the process run after each chunk. */
async function* chunks(
  lines: Iterable<string> | AsyncIterable<string>,
  signal: AbortSignal,
): AsyncGenerator<string> {
  for await (const chunk of Symbol.iterator in lines ? joined(lines) : lines) {
    if (signal.aborted) return;
    yield `${chunk}\n`;
    await setImmediate();
  }
}

/** Joins lines: awaiting each line of a history costs more than making it. */
function* joined(lines: Iterable<string>): Generator<string> {
  let chunk = '';
  for (const line of lines) {
    chunk += chunk === '' ? line : `\n${line}`;
    if (chunk.length < CHUNK_LENGTH) continue;
    yield chunk;
    chunk = '';
  }
  if (chunk) yield chunk;
}

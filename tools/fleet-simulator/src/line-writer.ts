import { once } from 'node:events';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';

/** Minimum number of characters per write. */
const CHUNK_LENGTH = 64 * 1024;

/** Errors of a pipe, and of the socket that Node.js uses for one, after the reader has closed it. */
const READER_CLOSED = ['EPIPE', 'ECONNRESET'];

/** Time for the reader to take buffered output after `signal` fires. */
const FLUSH_WITHIN_MS = 1_000;

/**
 * Writes each line with a line break to standard output, with backpressure. Returns without an error when the reader closes
 * the pipe or when `signal` fires. After `signal`, the output ends with a whole line unless the reader has stopped reading.
 *
 * @throws other errors of standard output, and errors of the lines
 */
export async function writeLines(
  lines: Iterable<string> | AsyncIterable<string>,
  signal: AbortSignal,
): Promise<void> {
  const gone = new AbortController();
  process.stdout.on('error', (error: NodeJS.ErrnoException) => gone.abort(error));
  const stopped = AbortSignal.any([signal, gone.signal]);
  try {
    for await (const chunk of chunks(lines)) {
      if (stopped.aborted) break;
      if (!process.stdout.write(chunk)) await once(process.stdout, 'drain', { signal: stopped });
      // Signal handlers run only between turns of the event loop.
      else await setImmediate();
    }
  } catch (error) {
    if (!stopped.aborted) throw error;
  }
  if (signal.aborted && !gone.signal.aborted) {
    await Promise.race([
      new Promise<void>((resolve) => process.stdout.write('', () => resolve())),
      sleep(FLUSH_WITHIN_MS),
    ]);
  }
  const failure = gone.signal.reason as NodeJS.ErrnoException | undefined;
  if (failure && !READER_CLOSED.includes(failure.code ?? '')) throw failure;
}

/** Joins lines into chunks. Synchronous lines use a synchronous generator: awaiting each line costs more than making it. */
function chunks(lines: Iterable<string> | AsyncIterable<string>): Iterable<string> | AsyncIterable<string> {
  return Symbol.iterator in lines ? gathered(lines) : single(lines);
}

function* gathered(lines: Iterable<string>): Generator<string> {
  let chunk = '';
  for (const line of lines) {
    chunk += line + '\n';
    if (chunk.length < CHUNK_LENGTH) continue;
    yield chunk;
    chunk = '';
  }
  if (chunk) yield chunk;
}

async function* single(lines: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const line of lines) yield line + '\n';
}

import { once } from 'node:events';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';

/** Lines are gathered to this many characters, and no longer than the reader takes to be ready again. */
const CHUNK_LENGTH = 64 * 1024;

/** How a pipe, and the socket that Node.js makes of one between processes, say that nobody reads any more. */
const GONE = ['EPIPE', 'ECONNRESET'];

/** How long a reader has to take what is already on its way when `signal` fires. */
const FLUSH_WITHIN_MS = 1_000;

/**
 * Writes each line with a line break to standard output, no faster than it is read. Ends quietly when the reader has
 * gone away or when `signal` fires, then after a whole line unless the reader has stopped reading.
 *
 * @throws any other failure of standard output, and whatever the lines throw
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
      // Signals are heard between two turns of the event loop only.
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
  if (failure && !GONE.includes(failure.code ?? '')) throw failure;
}

/** A generator of its own for synchronous lines: awaiting each of them would cost more than making it. */
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

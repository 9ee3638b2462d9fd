import type { FileJob } from '../running/import-files.ts';
import { readNdjson } from './read-ndjson.ts';

/** So long a stream may pause until what has arrived is written. */
const PAUSE_MS = 500;

/** Imports one file or stream of NDJSON; a stream that grows slowly is not kept waiting. */
export async function importNdjson({
  file,
  input,
  reader,
  run,
  interruption,
  report,
}: FileJob): Promise<void> {
  const arriving = readNdjson(file, input, reader)[Symbol.asyncIterator]();
  let next = arriving.next();
  for (;;) {
    const arrived = await Promise.race([next, pause(), interruption.arrival]);
    if (arrived === 'interrupted') break;
    if (arrived === 'paused') {
      await run.flush();
      continue;
    }
    if (arrived.done) break;
    await run.take(arrived.value);
    report();
    next = arriving.next();
  }
  await run.flush();
}

function pause(): Promise<'paused'> {
  return new Promise((resolve) => setTimeout(resolve, PAUSE_MS, 'paused').unref());
}

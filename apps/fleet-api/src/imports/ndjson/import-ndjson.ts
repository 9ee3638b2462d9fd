import { setTimeout } from 'node:timers/promises';
import type { FileJob } from '../running/import-files.ts';
import type { SourceItem } from '../running/source.ts';
import { readNdjson } from './read-ndjson.ts';

/** So long a stream may pause until what has arrived is written. */
const PAUSE_MS = 500;

type ArrivedNow = IteratorResult<SourceItem[]> | 'paused';

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
    const pause = new AbortController();
    const arrived = await interruption.before<ArrivedNow>(next, pauseUntil(pause.signal));
    pause.abort();
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

function pauseUntil(signal: AbortSignal): Promise<'paused'> {
  return setTimeout(PAUSE_MS, 'paused' as const, { signal }).catch(() => 'paused' as const);
}

import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import type { FileJob } from './file-job.ts';
import type { ImportRun } from './import-run.ts';
import { type Line, readLines } from './lines.ts';
import type { SourceItem } from './source.ts';

/** Idle time of a stream after which pending records are written. */
const PAUSE_MS = 500;
/** After a signal, a stream is read until it is idle for this time. */
const FINAL_PAUSE_MS = 100;
/** Longest time that a stream is read after a signal. */
const MAX_FINAL_READ_MS = 3_000;
/** Lines that are read before the event loop runs. The statements of the batch that is being written wait for them. */
const LINES_PER_TURN = 32;

/** Converts lines that arrived together: each non-blank line becomes a record or a fault. */
type LineReader = (lines: Line[]) => SourceItem[] | Promise<SourceItem[]>;

type Arrived = IteratorResult<Line[]> | 'paused';

/** Imports a file or stream of independent lines. Lines of a slow stream are written after a pause. */
export async function importLines(
  { input, follow, run, interruption, reportProgress }: FileJob,
  readItems: LineReader,
): Promise<void> {
  const arriving = readLines(input)[Symbol.asyncIterator]();
  let next = arriving.next();
  for (;;) {
    const pause = Promise.withResolvers<'paused'>();
    const timer = setTimeout(() => pause.resolve('paused'), PAUSE_MS);
    const arrived = await interruption.raceWithSignal<Arrived>(next, pause.promise);
    clearTimeout(timer);
    if (arrived === 'interrupted') {
      if (follow) for await (const lines of untilIdle(arriving, next)) await addLines(run, readItems, lines);
      break;
    }
    if (arrived === 'paused') {
      // `next` is still pending, so it is awaited again.
      await run.flush();
      continue;
    }
    if (arrived.done) break;
    await addLines(run, readItems, arrived.value);
    reportProgress();
    next = arriving.next();
  }
  await run.flush();
}

async function addLines(run: ImportRun, readItems: LineReader, lines: Line[]): Promise<void> {
  for (let start = 0; start < lines.length; start += LINES_PER_TURN) {
    await run.add(await readItems(lines.slice(start, start + LINES_PER_TURN)));
    await setImmediate();
  }
}

/** Yields the lines that arrive until the stream is idle, for a limited time. */
async function* untilIdle(
  arriving: AsyncIterator<Line[]>,
  first: Promise<IteratorResult<Line[]>>,
): AsyncGenerator<Line[]> {
  const end = Date.now() + MAX_FINAL_READ_MS;
  for (let next = first; Date.now() < end; next = arriving.next()) {
    const arrived = await Promise.race([next, sleep(FINAL_PAUSE_MS, 'paused' as const)]);
    if (arrived === 'paused' || arrived.done) return;
    yield arrived.value;
  }
}

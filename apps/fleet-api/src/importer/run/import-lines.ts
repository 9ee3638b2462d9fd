import { setTimeout } from 'node:timers/promises';
import type { FileJob } from './import-files.ts';
import { type Line, readLines } from './lines.ts';
import type { SourceItem } from './source.ts';

/** So long a stream may pause until what has arrived is written. */
const PAUSE_MS = 500;
/** A stream that a signal ends may have more under way: it is read until it pauses so long, or goes on so long. */
const LAST_PAUSE_MS = 100;
const LONGEST_END_MS = 3_000;

/** What a format makes of lines that arrived together: each non-blank line ends in a record or is a fault. */
export type LineReader = (lines: Line[]) => SourceItem[] | Promise<SourceItem[]>;

type Arrived = IteratorResult<Line[]> | 'paused';

/** Imports one file or stream whose lines stand for themselves; a stream that grows slowly is not kept waiting. */
export async function importLines(
  { input, follow, run, interruption, report }: FileJob,
  readItems: LineReader,
): Promise<void> {
  const arriving = readLines(input)[Symbol.asyncIterator]();
  let next = arriving.next();
  for (;;) {
    const pause = new AbortController();
    const arrived = await interruption.before<Arrived>(next, pauseUntil(PAUSE_MS, pause.signal));
    pause.abort();
    if (arrived === 'interrupted') {
      if (follow) await takeTheRest(next);
      break;
    }
    if (arrived === 'paused') {
      await run.flush();
      continue;
    }
    if (arrived.done) break;
    await run.take(await readItems(arrived.value));
    report();
    next = arriving.next();
  }
  await run.flush();

  async function takeTheRest(first: Promise<IteratorResult<Line[]>>): Promise<void> {
    const end = Date.now() + LONGEST_END_MS;
    for (let rest = first; Date.now() < end; rest = arriving.next()) {
      const arrived = await Promise.race([rest, setTimeout(LAST_PAUSE_MS, 'paused' as const)]);
      if (arrived === 'paused' || arrived.done) return;
      await run.take(await readItems(arrived.value));
    }
  }
}

function pauseUntil(milliseconds: number, signal: AbortSignal): Promise<'paused'> {
  return setTimeout(milliseconds, 'paused' as const, { signal }).catch(() => 'paused' as const);
}

import { Readable } from 'node:stream';
import type { GpuPlace } from './gpus.queries.ts';

/** Rows that are read at once. */
export const ROWS_AT_ONCE = 1_000;

/** Gives the rows' JSON, in pieces of several, each separated by commas. */
type ReadRows = (places: readonly GpuPlace[]) => Promise<string[]>;

/** The list as JSON. */
export function gpuListOf(rows: string[]): string {
  return `{"gpus":[${rows.join(',')}]}`;
}

/**
 * The list as JSON. However long it is, only so many rows are in memory, and no connection waits for a slow client: they
 * are read as the answer leaves. The first are read before it begins, so that a database that is away is an error.
 */
export async function gpuListText(places: GpuPlace[], readRows: ReadRows): Promise<string | Readable> {
  const first = await readRows(places.slice(0, ROWS_AT_ONCE));
  if (places.length <= ROWS_AT_ONCE) return gpuListOf(first);
  return Readable.from(rest(first.join(','), places, readRows), { objectMode: false });
}

async function* rest(first: string, places: GpuPlace[], readRows: ReadRows): AsyncGenerator<string> {
  yield `{"gpus":[${first}`;
  let separator = first === '' ? '' : ',';
  for (let begin = ROWS_AT_ONCE; begin < places.length; begin += ROWS_AT_ONCE) {
    const text = (await readRows(places.slice(begin, begin + ROWS_AT_ONCE))).join(',');
    if (text === '') continue;
    yield separator + text;
    separator = ',';
  }
  yield ']}';
}

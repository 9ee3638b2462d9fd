import { Readable } from 'node:stream';
import type { RankedGpu } from './gpus.queries.ts';

/** Rows read by one query and held in memory. */
export const MAX_ROWS_PER_READ = 1_000;

/** Reads the rows of these GPUs as JSON, in chunks of several rows separated by commas. */
type ReadRows = (gpus: readonly RankedGpu[]) => Promise<string[]>;

export function gpuListBody(rows: string[]): string {
  return `{"gpus":[${rows.join(',')}]}`;
}

/**
 * Returns the list as JSON, as a stream if it is long: rows are read while the response is sent, so memory is bounded
 * and a slow client holds no database connection. The first rows are read before, so that an unavailable database
 * results in an error response.
 */
export async function streamGpuList(gpus: RankedGpu[], readRows: ReadRows): Promise<string | Readable> {
  const first = await readRows(gpus.slice(0, MAX_ROWS_PER_READ));
  if (gpus.length <= MAX_ROWS_PER_READ) return gpuListBody(first);
  return Readable.from(generate(first.join(','), gpus, readRows), { objectMode: false });
}

async function* generate(first: string, gpus: RankedGpu[], readRows: ReadRows): AsyncGenerator<string> {
  yield `{"gpus":[${first}`;
  let separator = first === '' ? '' : ',';
  for (let start = MAX_ROWS_PER_READ; start < gpus.length; start += MAX_ROWS_PER_READ) {
    const text = (await readRows(gpus.slice(start, start + MAX_ROWS_PER_READ))).join(',');
    if (text === '') continue;
    yield separator + text;
    separator = ',';
  }
  yield ']}';
}

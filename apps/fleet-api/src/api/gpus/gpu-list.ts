import { Readable } from 'node:stream';
import type { ExportedRow } from '../exports/export-stream.ts';
import { commaSeparated, concatenate } from '../paging/concatenate.ts';
import type { RankedGpu } from './gpus.service.ts';

/** Rows read by one query and held in memory. */
export const MAX_ROWS_PER_READ = 1_000;

/** Reads the rows of these GPUs as JSON, separated by commas. */
type ReadRows = (gpus: readonly RankedGpu[]) => Promise<string>;

const START = '{"gpus":[';
const END = ']}';

export function gpuListBody(rows: readonly string[]): Buffer {
  return concatenate([START, ...commaSeparated(rows), END]);
}

/**
 * Returns the list as JSON, as a stream if it is long: rows are read while the response is sent, so memory is bounded
 * and a slow client holds no database connection. The first rows are read before, so that an unavailable database
 * results in an error response.
 */
export async function streamGpuList(gpus: RankedGpu[], readRows: ReadRows): Promise<Buffer | Readable> {
  if (gpus.length <= MAX_ROWS_PER_READ) return gpuListBody([await readRows(gpus)]);
  const texts = readBatches(gpus, readRows);
  const { value: first = '' } = await texts.next();
  return Readable.from(generate(first, texts), { objectMode: false });
}

/** Yields the rows, for an export. */
export async function* gpuPages(
  gpus: RankedGpu[],
  readRows: ReadRows,
): AsyncGenerator<ExportedRow[], undefined> {
  for await (const text of readBatches(gpus, readRows)) yield JSON.parse(`[${text}]`) as ExportedRow[];
}

async function* readBatches(gpus: RankedGpu[], readRows: ReadRows): AsyncGenerator<string, undefined> {
  for (let start = 0; start < gpus.length; start += MAX_ROWS_PER_READ)
    yield await readRows(gpus.slice(start, start + MAX_ROWS_PER_READ));
}

async function* generate(first: string, texts: AsyncGenerator<string>): AsyncGenerator<string> {
  yield START;
  if (first.length > 0) yield first;
  let isEmpty = first.length === 0;
  for await (const text of texts) {
    if (text.length === 0) continue;
    if (!isEmpty) yield ',';
    yield text;
    isEmpty = false;
  }
  yield END;
}

import { Readable } from 'node:stream';
import type { ExportedRow } from '../exports/export-stream.ts';
import { listBody } from '../paging/list-page.ts';
import type { RankedGpu } from './gpus.queries.ts';

/** Maximum number of rows that one query reads and that are in memory at once. */
export const MAX_ROWS_PER_READ = 1_000;

/** Reads the rows of GPUs as JSON, separated by commas. GPUs that no longer exist are omitted. */
type ReadRows = (gpus: readonly RankedGpu[]) => Promise<string>;

const START = '{"gpus":[';
const END = ']}';

export function gpuListBody(rows: readonly string[]): Buffer {
  return listBody(START, rows, END);
}

/**
 * Returns the list as JSON, as a stream if it is long: the rows are read while the response is sent, so that memory is bounded and a
 * slow client holds no database connection. The first rows are read before, so that an unavailable database results in an error
 * response.
 */
export async function streamGpuList(gpus: RankedGpu[], readRows: ReadRows): Promise<Buffer | Readable> {
  if (gpus.length <= MAX_ROWS_PER_READ) return gpuListBody([await readRows(gpus)]);
  const batches = readBatches(gpus, readRows);
  const { value: first = '' } = await batches.next();
  return Readable.from(listChunks(first, batches), { objectMode: false });
}

/** Yields the rows of an export in pages. */
export async function* gpuPages(
  gpus: RankedGpu[],
  readRows: ReadRows,
): AsyncGenerator<ExportedRow[], undefined> {
  for await (const rows of readBatches(gpus, readRows)) yield JSON.parse(`[${rows}]`) as ExportedRow[];
}

async function* readBatches(gpus: RankedGpu[], readRows: ReadRows): AsyncGenerator<string, undefined> {
  for (let start = 0; start < gpus.length; start += MAX_ROWS_PER_READ)
    yield await readRows(gpus.slice(start, start + MAX_ROWS_PER_READ));
}

async function* listChunks(first: string, batches: AsyncGenerator<string>): AsyncGenerator<string> {
  yield START;
  let hasRows = first !== '';
  if (hasRows) yield first;
  for await (const rows of batches) {
    // The GPUs of a batch may have been deleted.
    if (rows === '') continue;
    if (hasRows) yield ',';
    yield rows;
    hasRows = true;
  }
  yield END;
}

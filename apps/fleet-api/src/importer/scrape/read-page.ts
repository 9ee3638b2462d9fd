import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { DcgmScrape } from '../formats/dcgm/dcgm-scrape.ts';
import type { RecordReader } from '../records/record-reader.ts';
import type { Attributed } from '../records/records.ts';
import { readLines } from '../run/lines.ts';

/** A node's exporter writes less than one; what is larger is none. */
const LARGEST_PAGE_BYTES = 16 * 1024 * 1024;

export interface Page {
  records: Attributed[];
  /** Why lines were rejected. */
  reasons: string[];
  /** Of its content: a page that is the same again has the same. */
  digest: string;
}

/**
 * Reads an exporter's page as records of the time at which it was asked for.
 *
 * @param everySeconds how often it is asked, which decides when its GPUs are missing
 * @throws {Error} when it is too large, or has no reading of any GPU
 */
export async function readPage(
  body: Readable,
  { at, reader, everySeconds }: { at: Date; reader: RecordReader; everySeconds: number },
): Promise<Page> {
  const scrape = new DcgmScrape('', at, reader);
  const digest = createHash('sha256');
  let bytes = 0;
  const counted = async function* () {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > LARGEST_PAGE_BYTES) throw new Error(`its page is longer than ${LARGEST_PAGE_BYTES} bytes`);
      digest.update(chunk);
      yield chunk;
    }
  };
  for await (const lines of readLines(counted())) for (const line of lines) scrape.take(line);
  const items = scrape.read();
  const records = items.flatMap((item) => ('record' in item ? [item.record] : []));
  if (records.length === 0) throw new Error('its page has no reading of a GPU');
  for (const record of records)
    if (record.kind === 'gpu') Object.assign(record, { report_interval_seconds: everySeconds });
  return {
    records,
    reasons: items.flatMap((item) => ('fault' in item ? [item.fault] : [])),
    digest: digest.digest('base64'),
  };
}

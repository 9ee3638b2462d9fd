import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { ExporterPage, type PageOptions } from '../formats/exporters/exporter-page.ts';
import type { RecordReader } from '../records/record-reader.ts';
import type { Attributed } from '../records/records.ts';
import { readLines } from '../run/lines.ts';

/** Maximum size of a page. The page of a node has less than 1 MiB. */
const MAX_PAGE_BYTES = 16 * 1024 * 1024;

export interface Page {
  records: Attributed[];
  /** Reasons of the rejected lines. */
  reasons: string[];
  /** SHA-256 of the content. */
  digest: string;
  /** Whether the page has a reading that changes on every working GPU: power, or the energy counter. */
  mustChange: boolean;
}

/**
 * Reads the page of an exporter as records with the time of the request.
 *
 * @param everySeconds scrape interval, which is the report interval of the GPUs
 * @throws {Error} when the page is too large or has no GPU readings
 */
export async function readPage(
  body: Readable,
  {
    at,
    reader,
    everySeconds,
    ...options
  }: PageOptions & { at: Date; reader: RecordReader; everySeconds: number },
): Promise<Page> {
  const scrape = new ExporterPage('', at, reader, options);
  const digest = createHash('sha256');
  let bytes = 0;
  const counted = async function* () {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > MAX_PAGE_BYTES) throw new Error(`the page is longer than ${MAX_PAGE_BYTES} bytes`);
      digest.update(chunk);
      yield chunk;
    }
  };
  for await (const lines of readLines(counted())) for (const line of lines) scrape.add(line);
  const items = scrape.finish();
  const records = items.flatMap((item) => ('record' in item ? [item.record] : []));
  const formatFault = scrape.formatFault();
  if (formatFault !== null) throw new Error(formatFault);
  if (records.length === 0) throw new Error('the page has no GPU readings');
  for (const record of records)
    if (record.kind === 'gpu') Object.assign(record, { report_interval_seconds: everySeconds });
  return {
    records,
    reasons: items.flatMap((item) => ('fault' in item ? [item.fault] : [])),
    digest: digest.digest('base64'),
    mustChange: records.some(
      (record) =>
        record.kind === 'gpu_sample' &&
        (record.energy_millijoules_total ?? record.power_draw_w ?? null) !== null,
    ),
  };
}

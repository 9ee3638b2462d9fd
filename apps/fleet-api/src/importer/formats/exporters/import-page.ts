import { createHash } from 'node:crypto';
import { OperationError } from '@gpu-observatory/service-runtime/process';
import type { FileJob } from '../../run/file-job.ts';
import { readLines } from '../../run/lines.ts';
import { UnreadableInput } from '../../run/unreadable-input.ts';
import { ExporterPage, type PageOptions } from './exporter-page.ts';
import type { ExporterFormat } from './exporter-format.ts';

/** Maximum size of a scrape, which is kept in memory until its last line. A scrape of 10,000 GPUs is a third of this. */
const MAX_SCRAPE_BYTES = 256 * 1024 * 1024;

interface ScrapeOptions extends PageOptions {
  customerId: number;
  workspaceId: number;
  /** Time of lines without a timestamp; default now. */
  at?: Date;
  format: ExporterFormat;
}

/** Imports the page of an exporter. A page with the same content as an earlier one of the workspace is a duplicate at any time. */
export async function importExporterPage(
  { file, input, reader, run, xidCatalog, interruption, reportProgress }: FileJob,
  { customerId, workspaceId, at = new Date(), ...page }: ScrapeOptions,
): Promise<void> {
  const scrape = new ExporterPage(file, at, reader, { ...page, xidCatalog });
  const digest = createHash('sha256');
  let bytes = 0;
  const chunks = readLines(input)[Symbol.asyncIterator]();
  for (;;) {
    const chunk = await interruption.raceWithSignal(chunks.next());
    // An incomplete scrape is not imported: its GPUs may lack readings.
    if (chunk === 'interrupted') return;
    if (chunk.done) break;
    const text = chunk.value.map((line) => line.text).join('\n');
    digest.update(text).update('\n');
    bytes += Buffer.byteLength(text);
    for (const line of chunk.value) scrape.add(line);
    if (bytes > MAX_SCRAPE_BYTES)
      throw new OperationError(`${file} is longer than the maximum of a scrape (${MAX_SCRAPE_BYTES} bytes)`);
  }
  const formatFault = scrape.formatFault();
  if (formatFault !== null) throw new UnreadableInput(`${file}: ${formatFault}.`);
  const items = scrape.finish();
  for (const [series, lines] of scrape.ignored) run.ignore(series, lines);
  await run.addScrape(items, customerId, { workspaceId, digest: digest.digest() });
  reportProgress();
}

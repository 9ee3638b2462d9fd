import { createHash } from 'node:crypto';
import { OperationError } from '@gpu-observatory/service-runtime';
import type { FileJob } from '../../run/import-files.ts';
import { readLines } from '../../run/lines.ts';
import { DcgmScrape } from './dcgm-scrape.ts';

/** A scrape is held whole until its last line says what its first ones mean; ten thousand GPUs' is a third of this. */
const LARGEST_SCRAPE_BYTES = 256 * 1024 * 1024;

export interface ScrapeOptions {
  customerId: number;
  workspaceId: number;
  /** The time of lines that have none; now, when it is not given. */
  at?: Date;
}

/** Imports one scrape. A content that this workspace has sent before is known, whenever it is said to be of. */
export async function importDcgm(
  { file, input, reader, run, interruption, report }: FileJob,
  { customerId, workspaceId, at = new Date() }: ScrapeOptions,
): Promise<void> {
  const scrape = new DcgmScrape(file, at, reader);
  const digest = createHash('sha256');
  let bytes = 0;
  const arriving = readLines(input)[Symbol.asyncIterator]();
  for (;;) {
    const arrived = await interruption.before(arriving.next());
    // Half a scrape would say that GPUs are gone which are only not read yet.
    if (arrived === 'interrupted') return;
    if (arrived.done) break;
    for (const line of arrived.value) {
      digest.update(line.text).update('\n');
      bytes += line.text.length;
      scrape.take(line);
    }
    if (bytes > LARGEST_SCRAPE_BYTES)
      throw new OperationError(`${file} is longer than a scrape can be (${LARGEST_SCRAPE_BYTES} bytes)`);
  }
  await run.takeScrape(scrape.read(), { customerId, workspaceId, digest: digest.digest() });
  report();
}

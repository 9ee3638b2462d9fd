import type { FileJob } from '../../run/import-files.ts';
import { importLines } from '../../run/import-lines.ts';
import { ndjsonRecords } from './ndjson-records.ts';

/** Imports a file or stream of NDJSON. */
export function importNdjson(job: FileJob): Promise<void> {
  return importLines(job, (lines) => ndjsonRecords(job.file, lines, job.reader));
}

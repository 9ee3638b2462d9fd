import type { FileJob } from '../../run/import-files.ts';
import { importLines } from '../../run/import-lines.ts';
import { KernelLog, type KernelLogOptions } from './kernel-log.ts';

/** Imports the XIDs of one file or stream of a kernel's log; other lines of it are passed over and counted. */
export async function importXid(job: FileJob, options: KernelLogOptions): Promise<void> {
  const log = new KernelLog(job.file, job.reader, job.database, options);
  await importLines(job, (lines) => log.read(lines));
  job.run.passedOver += log.passedOver;
}

import type { FileJob } from '../../run/file-job.ts';
import { importLines } from '../../run/import-lines.ts';
import { KernelLog, type KernelLogOptions } from './kernel-log.ts';

/** Imports the XIDs of a kernel log, a file or a stream. Other lines are skipped and counted. */
export async function importXid(job: FileJob, options: KernelLogOptions): Promise<void> {
  const log = new KernelLog(job.file, job.reader, job.database, options);
  await importLines(job, (lines) => log.read(lines));
  await job.run.add(log.end());
  job.run.skipped += log.skipped;
}

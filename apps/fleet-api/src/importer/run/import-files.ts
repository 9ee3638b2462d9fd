import { limitHeapGrowth, OperationError } from '@gpu-observatory/service-runtime/process';
import type { FileJob } from './file-job.ts';
import { type ImportOptions, ImportSession } from './import-session.ts';
import { openFile, STANDARD_INPUT } from './input-files.ts';
import { UnreadableInput } from './unreadable-input.ts';

/**
 * Imports files in order, and writes the result to standard output as a line of JSON. The exit code is 0, or that of the signal that
 * interrupted the files. For standard input a signal is the normal end, so the code is 0 unless records could not be stored.
 *
 * @throws {OperationError} when the import cannot start or continue
 */
export async function importFiles(
  files: string[],
  options: ImportOptions,
  importFile: (job: FileJob) => Promise<void>,
): Promise<void> {
  limitHeapGrowth();
  const session = await ImportSession.open(files, options);
  const { run, interruption } = session;
  const unreadable: string[] = [];
  /** The file that is being imported, or was the last one. */
  let current = files[0] as string;
  try {
    await session.recordWorkspaceName();
    for (const file of files) {
      if (interruption.signal !== null) break;
      current = file;
      const input = openFile(file);
      try {
        await importFile(session.jobOf(file, input));
      } catch (failure) {
        if (!(failure instanceof UnreadableInput)) throw failure;
        unreadable.push(failure.message);
      } finally {
        // An open stream would keep the process alive.
        input.destroy();
      }
    }
    await run.flush();
    if (unreadable.length > 0) throw new OperationError(unreadable.join(' '));
  } catch (failure) {
    if (interruption.signal === null) throw stoppedError(current, failure);
  } finally {
    await session.close();
    process.stdout.write(`${JSON.stringify(session.result)}\n`);
  }
  process.exitCode = current === STANDARD_INPUT && run.unwritten === 0 ? 0 : interruption.exitCode;
}

function stoppedError(file: string, failure: unknown): Error {
  if (failure instanceof OperationError) return failure;
  const { message } = failure as Error;
  return new OperationError(
    `the import stopped in ${file === STANDARD_INPUT ? 'standard input' : file} (${message}): written records are kept; run the same import again to continue`,
  );
}

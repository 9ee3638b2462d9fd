import { basename } from 'node:path';
import type { Readable } from 'node:stream';
import { OperationRefused, readSettings } from '@gpu-observatory/service-runtime';
import { importSettings } from '../../config/settings.ts';
import { type AttributionDefaults, RecordReader } from '../records/record-reader.ts';
import { BatchWriter } from '../writing/batch-writer.ts';
import { ImportConnection } from '../writing/import-connection.ts';
import { ImportRun } from './import-run.ts';
import { checkFiles, openFile, STANDARD_INPUT } from './input-files.ts';
import { Interruption } from './interruption.ts';
import { type ImportCounts, Progress } from './progress.ts';
import { RejectFile } from './reject-file.ts';

export interface ImportOptions {
  attribution: AttributionDefaults;
  /** Where rejected lines go; by default the first file's name and `.rejects.ndjson`, in the working directory. */
  rejects?: string;
  quiet: boolean;
}

/** One file on its way in. */
export interface FileJob {
  file: string;
  input: AsyncIterable<Buffer>;
  reader: RecordReader;
  run: ImportRun;
  interruption: Interruption;
  /** Says how far it is. */
  report: () => void;
}

export interface ImportResult extends ImportCounts {
  reject_file?: string;
  interrupted?: string;
}

/**
 * Imports files one after the other, and writes the result to standard output as a line of JSON.
 *
 * @returns the exit code: 0, or a signal's when one ended it before the files did. A stream has no end of its own, so
 *   ending it by a signal is no failure
 * @throws {OperationRefused} when it cannot begin, or cannot go on
 */
export async function importFiles(
  files: string[],
  options: ImportOptions,
  importFile: (job: FileJob) => Promise<void>,
): Promise<number> {
  const { IMPORTER_DATABASE_URL: url } = readSettings(importSettings, process.env);
  const totalBytes = await checkFiles(files);
  const rejects = await RejectFile.open(options.rejects ?? rejectsBeside(files[0] as string));
  const connection = await ImportConnection.open(url);
  const run = new ImportRun(new BatchWriter(connection), rejects);
  const reader = new RecordReader(options.attribution);
  const interruption = new Interruption(() => connection.cut());
  const progress = new Progress(totalBytes, options.quiet);
  let bytes = 0;
  let file = '';
  try {
    for (file of files) {
      if (interruption.signal !== null) break;
      const input = openFile(file);
      const counted = counting(input, (chunkBytes) => (bytes += chunkBytes));
      const report = () => progress.report(bytes, run.counts);
      try {
        await importFile({ file, input: counted, reader, run, interruption, report });
      } finally {
        // A stream that is still open would keep the process waiting for it.
        input.destroy();
      }
    }
  } catch (failure) {
    if (interruption.signal === null) throw stopped(file, failure);
  } finally {
    interruption.stop();
    progress.stop();
    rejects.close();
    await connection.close().catch(() => undefined); // What broke it has been told.
    const result: ImportResult = {
      ...run.counts,
      ...(rejects.count > 0 ? { reject_file: rejects.path } : {}),
      ...(interruption.signal === null ? {} : { interrupted: interruption.signal }),
    };
    process.stdout.write(`${JSON.stringify(result)}\n`);
  }
  return file === STANDARD_INPUT ? 0 : interruption.exitCode;
}

async function* counting(input: Readable, count: (bytes: number) => void): AsyncGenerator<Buffer> {
  for await (const chunk of input as AsyncIterable<Buffer>) {
    count(chunk.length);
    yield chunk;
  }
}

function rejectsBeside(file: string): string {
  return `${file === STANDARD_INPUT ? 'stdin' : basename(file)}.rejects.ndjson`;
}

function stopped(file: string, failure: unknown): Error {
  if (failure instanceof OperationRefused) return failure;
  const { message } = failure as Error;
  return new OperationRefused(
    `the import stopped in ${file} (${message}): what was written stays, import the same again to go on`,
  );
}

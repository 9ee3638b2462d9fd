import { basename } from 'node:path';
import type { Readable } from 'node:stream';
import { OperationError } from '@gpu-observatory/service-runtime';
import { readImporterConfig } from '../../config/importer.config.ts';
import { overrideXids } from '../../model/health/xid-catalog.ts';
import { type AttributionDefaults, RecordReader } from '../records/record-reader.ts';
import { ImportDatabase } from '../write/import-database.ts';
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
  /** Standard input is a stream that cannot be read again: what has arrived is stored, also when the database goes away. */
  follow: boolean;
}

/** One file on its way in. */
export interface FileJob {
  file: string;
  input: AsyncIterable<Buffer>;
  follow: boolean;
  reader: RecordReader;
  run: ImportRun;
  /** For a source that asks what is known. */
  database: Pick<ImportDatabase, 'query'>;
  interruption: Interruption;
  /** Says how far it is. */
  report: () => void;
}

export interface ImportResult extends ImportCounts {
  reject_file?: string;
  interrupted?: string;
  /** Lines about other things, of a source that has such. */
  passed_over?: number;
  /** Records that were read and are not stored: the import gave up. */
  unwritten?: number;
}

/**
 * Imports files one after the other, and writes the result to standard output as a line of JSON.
 *
 * @returns the exit code: 0, or a signal's when one ended it before the files did. A stream has no end of its own, so
 *   ending it by a signal is no failure, unless something that was read could not be stored
 * @throws {OperationError} when it cannot begin, or cannot go on
 */
export async function importFiles(
  files: string[],
  options: ImportOptions,
  importFile: (job: FileJob) => Promise<void>,
): Promise<number> {
  const { databaseUrl, xidTableFile } = readImporterConfig(process.env);
  overrideXids(xidTableFile);
  if (options.follow && (files.length > 1 || files[0] !== STANDARD_INPUT)) {
    throw new OperationError(
      '--follow is for standard input: give - instead of files, as in tail -F FILE | … import … - --follow',
    );
  }
  const totalBytes = await checkFiles(files);
  const rejects = await RejectFile.open(options.rejects ?? rejectsBeside(files[0] as string));
  const progress = new Progress(totalBytes, options.quiet);
  const database = await ImportDatabase.open(
    databaseUrl,
    options.follow
      ? {
          onDisconnect: (reason) => progress.tell({ database: 'away', reason }),
          onReconnect: () => progress.tell({ database: 'back' }),
        }
      : null,
  );
  const run = new ImportRun(database, rejects);
  const reader = new RecordReader(options.attribution);
  const interruption = new Interruption(() => database.abort());
  let bytes = 0;
  let file = '';
  try {
    for (file of files) {
      if (interruption.signal !== null) break;
      const input = openFile(file);
      const counted = counting(input, (chunkBytes) => (bytes += chunkBytes));
      const report = () => progress.report(bytes, run.counts);
      try {
        const { follow } = options;
        await importFile({ file, input: counted, follow, reader, run, database, interruption, report });
      } finally {
        // A stream that is still open would keep the process waiting for it.
        input.destroy();
      }
    }
  } catch (failure) {
    if (interruption.signal === null) throw stopped(file, failure);
  } finally {
    await run.settled();
    interruption.stop();
    progress.stop(bytes, run.counts);
    rejects.close();
    await database.close().catch(() => undefined); // What broke it has been told.
    const result: ImportResult = {
      ...run.counts,
      ...(rejects.count > 0 ? { reject_file: rejects.path } : {}),
      ...(interruption.signal === null ? {} : { interrupted: interruption.signal }),
      ...(run.passedOver > 0 ? { passed_over: run.passedOver } : {}),
      ...(run.unwritten > 0 ? { unwritten: run.unwritten } : {}),
    };
    process.stdout.write(`${JSON.stringify(result)}\n`);
  }
  return file === STANDARD_INPUT && run.unwritten === 0 ? 0 : interruption.exitCode;
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
  if (failure instanceof OperationError) return failure;
  const { message } = failure as Error;
  return new OperationError(
    `the import stopped in ${file === STANDARD_INPUT ? 'standard input' : file} (${message}): what was written stays, import the same again to go on`,
  );
}

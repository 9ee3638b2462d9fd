import { basename } from 'node:path';
import type { Readable } from 'node:stream';
import { setFlagsFromString } from 'node:v8';
import { OperationError } from '@gpu-observatory/service-runtime/process';
import { readImporterConfig } from '../../config/importer.config.ts';
import { XidCatalog } from '../../model/health/xid-catalog.ts';
import { type AttributionDefaults, RecordReader } from '../records/record-reader.ts';
import { ImportDatabase } from '../write/import-database.ts';
import { recordWorkspaceName } from '../write/workspace-name.ts';
import { ImportRun } from './import-run.ts';
import { checkFiles, openFile, STANDARD_INPUT } from './input-files.ts';
import { Interruption } from './interruption.ts';
import { type ImportCounts, Progress } from './progress.ts';
import { RejectFile } from './reject-file.ts';
import { UnreadableInput } from './unreadable-input.ts';

/**
 * Growth of the heap between two collections, in percent. In a container of 512 MB, V8 chooses about 30: the records of a batch
 * outlive the young generation, and a third of the importer's CPU time was garbage collection.
 */
const HEAP_GROWTH_PERCENT = 100;

export interface ImportOptions {
  attribution: AttributionDefaults;
  /** Name of the workspace of `attribution`. */
  workspaceName?: string;
  /** File for rejected lines; by default `<first file>.rejects.ndjson` in the working directory. */
  rejects?: string;
  quiet: boolean;
  /** Standard input is a stream that cannot be read again: a lost database connection is retried. */
  follow: boolean;
}

/** One file of an import, with what a format needs to read it. */
export interface FileJob {
  file: string;
  input: AsyncIterable<Buffer>;
  follow: boolean;
  reader: RecordReader;
  run: ImportRun;
  /** For formats that look up stored data. */
  database: Pick<ImportDatabase, 'query'>;
  xidCatalog: XidCatalog;
  interruption: Interruption;
  /** Updates the progress on standard error. */
  reportProgress: () => void;
}

export interface ImportResult extends ImportCounts {
  reject_file?: string;
  interrupted?: string;
  /** See `ImportRun.skipped`. */
  skipped?: number;
  /** See `ImportRun.ignored`. */
  ignored?: Record<string, number>;
  /** Records that were read and not stored, because the import was aborted. */
  unwritten?: number;
}

/**
 * Imports files in order, and writes the result to standard output as a line of JSON.
 *
 * @returns the exit code: 0, or that of the signal that interrupted the files. For standard input a signal is the
 *   normal end, so the code is 0 unless records could not be stored
 * @throws {OperationError} when it cannot start or continue
 */
export async function importFiles(
  files: string[],
  options: ImportOptions,
  importFile: (job: FileJob) => Promise<void>,
): Promise<number> {
  setFlagsFromString(`--heap-growing-percent=${HEAP_GROWTH_PERCENT}`);
  const { databaseUrl, xidTableFile } = readImporterConfig(process.env);
  const xidCatalog = XidCatalog.read(xidTableFile);
  if (options.follow && (files.length > 1 || files[0] !== STANDARD_INPUT)) {
    throw new OperationError(
      '--follow requires standard input (-), for example: tail -F FILE | … import … - --follow',
    );
  }
  const totalBytes = await checkFiles(files);
  const rejects = await RejectFile.open(options.rejects ?? defaultRejectFile(files[0] as string));
  const progress = new Progress(totalBytes, options.quiet);
  const database = await ImportDatabase.open(
    databaseUrl,
    xidCatalog,
    options.follow
      ? {
          onDisconnect: (reason) => progress.log({ database: 'unavailable', reason }),
          onReconnect: () => progress.log({ database: 'available' }),
        }
      : null,
  );
  const run = new ImportRun(database, rejects);
  const reader = new RecordReader(options.attribution);
  const interruption = new Interruption(() => database.abort());
  const unreadable: UnreadableInput[] = [];
  let bytes = 0;
  let file = '';
  try {
    await recordName(database, options);
    for (file of files) {
      if (interruption.signal !== null) break;
      const input = openFile(file);
      const counted = counting(input, (chunkBytes) => (bytes += chunkBytes));
      const reportProgress = () => progress.report(bytes, run.counts);
      try {
        const { follow } = options;
        await importFile({
          file,
          input: counted,
          follow,
          reader,
          run,
          database,
          xidCatalog,
          interruption,
          reportProgress,
        });
      } catch (failure) {
        if (!(failure instanceof UnreadableInput)) throw failure;
        unreadable.push(failure);
      } finally {
        // An open stream would keep the process alive.
        input.destroy();
      }
    }
    await run.flush();
    if (unreadable.length > 0) throw new OperationError(unreadable.map(({ message }) => message).join(' '));
  } catch (failure) {
    if (interruption.signal === null) throw stopped(file, failure);
  } finally {
    await run.settled();
    interruption.stop();
    progress.stop(bytes, run.counts);
    rejects.close();
    await database.close().catch(() => undefined); // the failure was reported already
    const result: ImportResult = {
      ...run.counts,
      ...(rejects.count > 0 ? { reject_file: rejects.path } : {}),
      ...(interruption.signal === null ? {} : { interrupted: interruption.signal }),
      ...(run.skipped > 0 ? { skipped: run.skipped } : {}),
      ...(Object.keys(run.ignored).length > 0 ? { ignored: run.ignored } : {}),
      ...(run.unwritten > 0 ? { unwritten: run.unwritten } : {}),
    };
    process.stdout.write(`${JSON.stringify(result)}\n`);
  }
  return file === STANDARD_INPUT && run.unwritten === 0 ? 0 : interruption.exitCode;
}

async function recordName(
  database: ImportDatabase,
  { workspaceName: name, attribution: { customerId, workspaceId } }: ImportOptions,
): Promise<void> {
  if (name !== undefined && customerId !== null && workspaceId !== null)
    await recordWorkspaceName(database, { customerId, workspaceId, name });
}

async function* counting(input: Readable, count: (bytes: number) => void): AsyncGenerator<Buffer> {
  for await (const chunk of input as AsyncIterable<Buffer>) {
    count(chunk.length);
    yield chunk;
  }
}

function defaultRejectFile(file: string): string {
  return `${file === STANDARD_INPUT ? 'stdin' : basename(file)}.rejects.ndjson`;
}

function stopped(file: string, failure: unknown): Error {
  if (failure instanceof OperationError) return failure;
  const { message } = failure as Error;
  return new OperationError(
    `the import stopped in ${file === STANDARD_INPUT ? 'standard input' : file} (${message}): written records are kept; run the same import again to continue`,
  );
}

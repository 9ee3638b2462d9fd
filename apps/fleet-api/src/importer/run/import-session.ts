import { basename } from 'node:path';
import type { Readable } from 'node:stream';
import { OperationError } from '@gpu-observatory/service-runtime/process';
import { readImporterConfig } from '../../config/importer.config.ts';
import { XidCatalog } from '../../model/health/xid-catalog.ts';
import { type AttributionDefaults, RecordReader } from '../records/record-reader.ts';
import { ImportDatabase, type ReconnectListener } from '../write/import-database.ts';
import { recordWorkspaceName } from '../write/workspace-name.ts';
import type { FileJob } from './file-job.ts';
import { ImportRun } from './import-run.ts';
import { checkFiles, STANDARD_INPUT } from './input-files.ts';
import { Interruption } from './interruption.ts';
import { type ImportCounts, Progress } from './progress.ts';
import { RejectFile } from './reject-file.ts';

export interface ImportOptions {
  attribution: AttributionDefaults;
  /** Name of the workspace of `attribution`. */
  workspaceName?: string;
  /** File for rejected lines; by default `<first file>.rejects.ndjson` in the working directory. */
  rejects?: string;
  quiet: boolean;
  /** Whether standard input is an endless stream. It cannot be read again, so a lost database connection is retried. */
  follow: boolean;
}

export interface ImportResult extends ImportCounts {
  reject_file?: string;
  interrupted?: string;
  /** See `ImportRun.skipped`. */
  skipped?: number;
  /** See `ImportRun.ignored`. */
  ignored?: Record<string, number>;
  /** Number of records that were read but not stored, because the import was aborted. */
  unwritten?: number;
}

interface Resources {
  database: ImportDatabase;
  xidCatalog: XidCatalog;
  rejects: RejectFile;
  progress: Progress;
  /** Whether an input is standard input or a pipe. */
  isStream: boolean;
}

/** Resources that the files of an import share: the database, the reject file, the progress, and the signals that interrupt it. */
export class ImportSession {
  readonly run: ImportRun;
  readonly interruption: Interruption;
  private readonly reader: RecordReader;
  /** Number of bytes that were read from all files. */
  private bytes = 0;

  private constructor(
    private readonly options: ImportOptions,
    private readonly resources: Resources,
  ) {
    this.run = new ImportRun(resources.database, resources.rejects, resources.isStream);
    this.interruption = new Interruption(() => resources.database.abort());
    this.reader = new RecordReader(options.attribution);
  }

  /** @throws {OperationError} when a file cannot be read, or the database cannot be reached */
  static async open(files: string[], options: ImportOptions): Promise<ImportSession> {
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
    const listener = options.follow ? logReconnects(progress) : null;
    const database = await ImportDatabase.open(databaseUrl, xidCatalog, listener);
    const isStream = totalBytes === null;
    return new ImportSession(options, { database, xidCatalog, rejects, progress, isStream });
  }

  /** Stores the name of the workspace, if the options have one. */
  async recordWorkspaceName(): Promise<void> {
    const { workspaceName: name, attribution } = this.options;
    const { customerId, workspaceId } = attribution;
    if (name !== undefined && customerId !== null && workspaceId !== null)
      await recordWorkspaceName(this.resources.database, { customerId, workspaceId, name });
  }

  /** Returns the job that imports a file. */
  jobOf(file: string, input: Readable): FileJob {
    const { reader, run, interruption } = this;
    const { database, xidCatalog, progress } = this.resources;
    return {
      file,
      input: this.counting(input),
      follow: this.options.follow,
      reader,
      run,
      database,
      xidCatalog,
      interruption,
      reportProgress: () => progress.report(this.bytes, run.counts),
    };
  }

  /** Waits for the batch that is being written, and closes all resources. */
  async close(): Promise<void> {
    const { database, rejects, progress } = this.resources;
    await this.run.waitForWrite();
    this.interruption.stop();
    progress.stop(this.bytes, this.run.counts);
    rejects.close();
    await database.close().catch(() => undefined); // the failure was reported already
  }

  /** The result for standard output. Optional fields that are 0 or empty are omitted. */
  get result(): ImportResult {
    const { run, interruption } = this;
    const { rejects } = this.resources;
    return {
      ...run.counts,
      ...(rejects.count > 0 ? { reject_file: rejects.path } : {}),
      ...(interruption.signal === null ? {} : { interrupted: interruption.signal }),
      ...(run.skipped > 0 ? { skipped: run.skipped } : {}),
      ...(Object.keys(run.ignored).length > 0 ? { ignored: run.ignored } : {}),
      ...(run.unwritten > 0 ? { unwritten: run.unwritten } : {}),
    };
  }

  /** Yields the chunks of an input, and adds their size to `bytes`. */
  private async *counting(input: Readable): AsyncGenerator<Buffer> {
    for await (const chunk of input as AsyncIterable<Buffer>) {
      this.bytes += chunk.length;
      yield chunk;
    }
  }
}

function defaultRejectFile(file: string): string {
  return `${file === STANDARD_INPUT ? 'stdin' : basename(file)}.rejects.ndjson`;
}

function logReconnects(progress: Progress): ReconnectListener {
  return {
    onDisconnect: (reason) => progress.log({ database: 'unavailable', reason }),
    onReconnect: () => progress.log({ database: 'available' }),
  };
}

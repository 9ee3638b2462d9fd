import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Readable } from 'node:stream';
import { parsePositiveInteger, parseTimestamp } from '@gpu-observatory/domain-types';
import { readSettings } from '@gpu-observatory/service-runtime';
import { Command, InvalidArgumentError } from 'commander';
import { importSettings } from '../config/settings.ts';
import { readDcgmScrape } from './dcgm/dcgm-scrape.ts';
import { readNdjson } from './ndjson/ndjson-source.ts';
import { RecordReader } from './records/record-reader.ts';
import { ImportRun } from './running/import-run.ts';
import { type Line, readLines } from './running/lines.ts';
import { Progress } from './running/progress.ts';
import { RejectFile } from './running/reject-file.ts';
import { BatchWriter } from './writing/batch-writer.ts';
import { ImportConnection } from './writing/import-connection.ts';

interface ImportOptions {
  customer?: number;
  workspace?: number;
  apiKey?: number;
  at?: Date;
  rejects?: string;
  quiet?: boolean;
}

/** `import`: the door of the fleet data, for every format. */
export function importCommand(): Command {
  const command = new Command('import').description('bring fleet data in (IMPORTER_DATABASE_URL)');
  withOptions(command.command('ndjson'))
    .description('records of the documented NDJSON format; - reads standard input as it grows')
    .action((files: string[], options: ImportOptions) => runImport(files, options, importNdjsonFile));
  withOptions(command.command('dcgm'))
    .description('dcgm-exporter scrapes (Prometheus text); - reads one from standard input')
    .option('--at <time>', 'the time of a scrape, which has none of its own (default now)', timestamp)
    .action((files: string[], options: ImportOptions) => {
      if (options.customer === undefined || options.workspace === undefined) {
        throw new Error('a scrape says nothing of whose it is: give --customer and --workspace');
      }
      return runImport(files, options, importDcgmFile);
    });
  return command;
}

function withOptions(command: Command): Command {
  return command
    .argument('<file...>', 'files, or - for standard input')
    .option('--customer <id>', 'the customer of records that name none', positiveInteger)
    .option('--workspace <id>', 'the workspace of records that name none', positiveInteger)
    .option('--api-key <id>', 'the API key of records that name none', positiveInteger)
    .option(
      '--rejects <file>',
      'where lines go that cannot be imported (default <first file>.rejects.ndjson, here)',
    )
    .option('--quiet', 'no progress, only the result');
}

type FileImport = (job: {
  file: string;
  input: Readable;
  options: ImportOptions;
  reader: RecordReader;
  run: ImportRun;
  read: () => void;
}) => Promise<void>;

async function runImport(files: string[], options: ImportOptions, importFile: FileImport): Promise<void> {
  const { IMPORTER_DATABASE_URL: url } = readSettings(importSettings, process.env);
  const totalBytes = await sizeOf(files);
  const connection = await ImportConnection.open(url);
  const rejects = new RejectFile(
    options.rejects ?? `${files[0] === '-' ? 'stdin' : basename(files[0] as string)}.rejects.ndjson`,
  );
  const run = new ImportRun(new BatchWriter(connection), rejects);
  const reader = new RecordReader({
    customerId: options.customer ?? null,
    workspaceId: options.workspace ?? null,
    apiKeyId: options.apiKey ?? null,
  });
  const progress = new Progress(totalBytes, options.quiet ?? false);
  let bytes = 0;
  try {
    for (const file of files) {
      const input: Readable =
        file === '-' ? process.stdin : createReadStream(file, { highWaterMark: 256 * 1024 });
      const counted = (async function* () {
        for await (const chunk of input as AsyncIterable<Buffer>) {
          bytes += chunk.length;
          yield chunk;
        }
      })();
      const read = () => progress.report(bytes, run.counts);
      await importFile({ file, input: counted as unknown as Readable, options, reader, run, read });
    }
  } finally {
    progress.stop();
    rejects.close();
    await connection.close();
  }
  const result = { ...run.counts, ...(rejects.count > 0 ? { reject_file: rejects.path } : {}) };
  process.stdout.write(`${JSON.stringify(result)}\n`);
}

/** Writes what has arrived whenever the stream pauses, so that a stream that grows slowly is not kept waiting. */
const importNdjsonFile: FileImport = async ({ file, input, reader, run, read }) => {
  const batches = readNdjson(file, input, reader)[Symbol.asyncIterator]();
  let next = batches.next();
  for (;;) {
    const pause = new Promise<'paused'>((resolve) => setTimeout(resolve, 500, 'paused').unref());
    const arrived = await Promise.race([next, pause]);
    if (arrived === 'paused') {
      await run.flush();
      continue;
    }
    if (arrived.done) break;
    await run.take(arrived.value);
    read();
    next = batches.next();
  }
  await run.flush();
};

const importDcgmFile: FileImport = async ({ file, input, options, reader, run, read }) => {
  const lines: Line[] = [];
  const digest = createHash('sha256');
  for await (const some of readLines(input)) {
    for (const line of some) {
      lines.push(line);
      digest.update(line.text).update('\n');
    }
  }
  await run.takeScrape(readDcgmScrape(file, lines, options.at ?? new Date(), reader), {
    customerId: options.customer as number,
    workspaceId: options.workspace as number,
    digest: digest.digest(),
  });
  read();
};

/** @throws {Error} naming the first file that cannot be read, before anything is imported */
async function sizeOf(files: string[]): Promise<number | null> {
  let total = 0;
  for (const file of files) {
    if (file === '-') return null;
    const about = await stat(file).catch((failure: NodeJS.ErrnoException) => {
      throw new Error(
        `${file} cannot be read: ${failure.code === 'ENOENT' ? 'there is no such file' : failure.message}`,
      );
    });
    if (!about.isFile()) throw new Error(`${file} cannot be read: it is no file`);
    total += about.size;
  }
  return total;
}

function positiveInteger(text: string): number {
  const value = parsePositiveInteger(text);
  if (value === null || value > 2_147_483_647)
    throw new InvalidArgumentError('It should be an integer from 1 to 2147483647.');
  return value;
}

function timestamp(text: string): Date {
  const instant = parseTimestamp(text);
  if (instant === null) {
    throw new InvalidArgumentError(
      'It should be an RFC 3339 time with a zone, such as 2026-11-21T08:00:00Z.',
    );
  }
  return instant;
}

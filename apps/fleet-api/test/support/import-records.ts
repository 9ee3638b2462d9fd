import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { ndjsonRecords } from '../../src/importer/formats/ndjson/import-ndjson.ts';
import { type AttributionDefaults, RecordReader } from '../../src/importer/records/record-reader.ts';
import type { FileJob } from '../../src/importer/run/file-job.ts';
import { ImportRun } from '../../src/importer/run/import-run.ts';
import { Interruption } from '../../src/importer/run/interruption.ts';
import { readLines } from '../../src/importer/run/lines.ts';
import { RejectFile } from '../../src/importer/run/reject-file.ts';
import { ImportDatabase } from '../../src/importer/write/import-database.ts';
import { XidCatalog } from '../../src/model/health/xid-catalog.ts';

export interface ImportedCounts {
  written: number;
  duplicate: number;
  rejected: number;
  skipped: number;
  ignored: Record<string, number>;
  rejects: { file: string; line: number; reason: string; text: string }[];
}

const OWNER: AttributionDefaults = { customerId: 1, workspaceId: 10, apiKeyId: null };
const XIDS = XidCatalog.read();

/** Cached per owner, because each compiles every schema. */
const readers = new Map<string, RecordReader>();
function readerOf(attribution: AttributionDefaults): RecordReader {
  const key = JSON.stringify(attribution);
  const reader = readers.get(key) ?? new RecordReader(attribution);
  readers.set(key, reader);
  return reader;
}

/** Imports NDJSON, as text or as objects, with the code of `import ndjson`. */
export async function importRecords(url: string, records: object[] | string): Promise<ImportedCounts> {
  return importBatches(url, [records]);
}

/** Imports several inputs over one connection, one after another. */
export async function importBatches(
  url: string,
  batches: Iterable<object[] | string> | AsyncIterable<object[] | string>,
): Promise<ImportedCounts> {
  const reader = readerOf({ customerId: null, workspaceId: null, apiKeyId: null });
  return importWith(url, async (run) => {
    for await (const batch of batches) {
      const text =
        typeof batch === 'string' ? batch : batch.map((record) => JSON.stringify(record)).join('\n');
      for await (const lines of readLines(Readable.from([Buffer.from(text)])))
        await run.add(ndjsonRecords('test.ndjson', lines, reader));
      await run.flush();
    }
  });
}

/** Imports a text in this process, with the code of the import command for its format. */
export async function importText(
  url: string,
  text: string,
  importFile: (job: FileJob) => Promise<void>,
  { xids = XIDS, ...owner }: Partial<AttributionDefaults> & { xids?: XidCatalog } = {},
): Promise<ImportedCounts> {
  const work = async (run: ImportRun, database: ImportDatabase) => {
    const interruption = new Interruption(() => database.abort());
    const job: FileJob = {
      file: 'test',
      input: Readable.from([Buffer.from(text)]),
      follow: false,
      reader: readerOf({ ...OWNER, ...owner }),
      run,
      database,
      xidCatalog: xids,
      interruption,
      reportProgress: () => undefined,
    };
    await importFile(job).finally(() => interruption.stop());
  };
  return importWith(url, work, xids);
}

async function importWith(
  url: string,
  work: (run: ImportRun, database: ImportDatabase) => Promise<void>,
  xids = XIDS,
): Promise<ImportedCounts> {
  const folder = mkdtempSync(join(tmpdir(), 'fleet-import-'));
  const rejects = await RejectFile.open(join(folder, 'rejects.ndjson'));
  const database = await ImportDatabase.open(url, xids);
  try {
    const run = new ImportRun(database, rejects);
    await work(run, database);
    await run.flush();
    const lines = rejects.count === 0 ? [] : readFileSync(rejects.path, 'utf8').trim().split('\n');
    return {
      ...run.counts,
      skipped: run.skipped,
      ignored: run.ignored,
      rejects: lines.map((line) => JSON.parse(line) as ImportedCounts['rejects'][number]),
    };
  } finally {
    rejects.close();
    await database.close();
    rmSync(folder, { recursive: true });
  }
}

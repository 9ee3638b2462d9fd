import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { type AttributionDefaults, RecordReader } from '../../src/importer/records/record-reader.ts';
import type { FileJob } from '../../src/importer/run/import-files.ts';
import { ImportRun } from '../../src/importer/run/import-run.ts';
import { Interruption } from '../../src/importer/run/interruption.ts';
import { RejectFile } from '../../src/importer/run/reject-file.ts';
import { ImportDatabase } from '../../src/importer/write/import-database.ts';
import type { ImportedCounts } from './import-records.ts';

export interface Imported extends ImportedCounts {
  passedOver: number;
}

/** Cached per owner, because each compiles every schema. */
const readers = new Map<string, RecordReader>();
function readerOf(attribution: AttributionDefaults): RecordReader {
  const key = JSON.stringify(attribution);
  const reader = readers.get(key) ?? new RecordReader(attribution);
  readers.set(key, reader);
  return reader;
}

/** Imports a text in this process, with the code of the import command for its format. */
export async function importText(
  url: string,
  text: string,
  importFile: (job: FileJob) => Promise<void>,
  attribution: AttributionDefaults = { customerId: 1, workspaceId: 10, apiKeyId: null },
): Promise<Imported> {
  const folder = mkdtempSync(join(tmpdir(), 'fleet-import-'));
  const rejects = await RejectFile.open(join(folder, 'rejects.ndjson'));
  const database = await ImportDatabase.open(url);
  const interruption = new Interruption(() => database.abort());
  try {
    const run = new ImportRun(database, rejects);
    await importFile({
      file: 'test',
      input: Readable.from([Buffer.from(text)]),
      follow: false,
      reader: readerOf(attribution),
      run,
      database,
      interruption,
      reportProgress: () => undefined,
    });
    const lines = rejects.count === 0 ? [] : readFileSync(rejects.path, 'utf8').trim().split('\n');
    return {
      ...run.counts,
      passedOver: run.skipped,
      rejects: lines.map((line) => JSON.parse(line) as Imported['rejects'][number]),
    };
  } finally {
    interruption.stop();
    rejects.close();
    await database.close();
    rmSync(folder, { recursive: true });
  }
}

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { ndjsonRecords } from '../../src/importer/formats/ndjson/ndjson-records.ts';
import { RecordReader } from '../../src/importer/records/record-reader.ts';
import { ImportRun } from '../../src/importer/run/import-run.ts';
import { readLines } from '../../src/importer/run/lines.ts';
import { RejectFile } from '../../src/importer/run/reject-file.ts';
import { BatchWriter } from '../../src/importer/write/batch-writer.ts';
import { ImportConnection } from '../../src/importer/write/import-connection.ts';

export interface ImportedCounts {
  written: number;
  duplicate: number;
  rejected: number;
  rejects: { file: string; line: number; reason: string; text: string }[];
}

/** Shared, because it compiles every schema. */
const reader = new RecordReader({ customerId: null, workspaceId: null, apiKeyId: null });

/** Imports NDJSON, as text or as objects, with the code of `import ndjson`. */
export async function importRecords(url: string, records: object[] | string): Promise<ImportedCounts> {
  return importBatches(url, [records]);
}

/** Imports several inputs over one connection, one after another. */
export async function importBatches(
  url: string,
  batches: Iterable<object[] | string> | AsyncIterable<object[] | string>,
): Promise<ImportedCounts> {
  const folder = mkdtempSync(join(tmpdir(), 'fleet-import-'));
  const rejects = await RejectFile.open(join(folder, 'rejects.ndjson'));
  const connection = await ImportConnection.open(url);
  try {
    const run = new ImportRun(new BatchWriter(connection), rejects);
    for await (const batch of batches) {
      const text =
        typeof batch === 'string' ? batch : batch.map((record) => JSON.stringify(record)).join('\n');
      for await (const lines of readLines(Readable.from([Buffer.from(text)])))
        await run.add(ndjsonRecords('test.ndjson', lines, reader));
      await run.flush();
    }
    const lines = rejects.count === 0 ? [] : readFileSync(rejects.path, 'utf8').trim().split('\n');
    return {
      ...run.counts,
      rejects: lines.map((line) => JSON.parse(line) as ImportedCounts['rejects'][number]),
    };
  } finally {
    rejects.close();
    await connection.close();
    rmSync(folder, { recursive: true });
  }
}

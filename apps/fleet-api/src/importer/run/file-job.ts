import type { XidCatalog } from '../../model/health/xid-catalog.ts';
import type { RecordReader } from '../records/record-reader.ts';
import type { ImportDatabase } from '../write/import-database.ts';
import type { ImportRun } from './import-run.ts';
import type { Interruption } from './interruption.ts';

/** One file of an import, with everything that a format needs to import it. */
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

import type { DatabaseOptions } from '../../src/database/database.ts';
import { Database } from '../../src/process.ts';
import { silentLogger } from './silent-logger.ts';

/** Creates a pool of connections with the options of a service. The caller stops it. */
export function openDatabase(url: string, options: Partial<DatabaseOptions> = {}): Database {
  return new Database({
    url,
    poolSize: 4,
    namedStatements: true,
    applicationName: 'test',
    logger: silentLogger,
    ...options,
  });
}

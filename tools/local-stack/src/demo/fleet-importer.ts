import { join } from 'node:path';
import type { DataDirectory } from '../data-directory.ts';
import type { ChildOptions } from '../processes/child-program.ts';
import type { Environment } from '../services/service-environments.ts';
import { operationsOf } from '../services/services.ts';

/** Where the records of the fleet are imported. */
export interface DemoTarget {
  directory: DataDirectory;
  /** Contains IMPORTER_DATABASE_URL. */
  importerEnvironment: Environment;
}

/** Returns how to start the importer of fleet-api on its standard input. */
export function fleetImporter(
  what: 'history' | 'live',
  { directory, importerEnvironment }: DemoTarget,
): ChildOptions {
  return {
    name: `${what}-import`,
    script: operationsOf('fleet'),
    args: ['import', 'ndjson', '-', '--quiet', '--rejects', join(directory.rejects, `${what}.ndjson`)],
    env: importerEnvironment,
    logs: directory.logs,
  };
}

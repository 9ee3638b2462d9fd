import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  rmSync,
} from 'node:fs';
import { join } from 'node:path';
import { removeEmbeddedDatabase } from '@gpu-observatory/embedded-database';
import { reasonOf, StackError } from './failures.ts';

/** Everything that one local stack keeps. Files are readable by their owner alone. */
export interface DataDirectory {
  path: string;
  /** The embedded PostgreSQL's. */
  database: string;
  /** One file a process. */
  logs: string;
  /** Lines that imports could not take, with the reason. */
  rejects: string;
  secretsFile: string;
  /** What runs where, while it runs. */
  stackFile: string;
  lockFile: string;
}

export function dataDirectoryAt(path: string): DataDirectory {
  return {
    path,
    database: join(path, 'database'),
    logs: join(path, 'logs'),
    rejects: join(path, 'rejects'),
    secretsFile: join(path, 'secrets.json'),
    stackFile: join(path, 'stack.json'),
    lockFile: join(path, 'lock'),
  };
}

/**
 * Makes what is missing of it.
 *
 * @throws {StackError} when it cannot be written
 */
export function openDataDirectory(path: string): DataDirectory {
  try {
    // Root's PostgreSQL runs under another account, which has to pass through, though it may not look around.
    if (!existsSync(path)) {
      mkdirSync(path, { recursive: true });
      chmodSync(path, process.getuid?.() === 0 ? 0o711 : 0o700);
    }
    const directory = dataDirectoryAt(realpathSync(path));
    accessSync(directory.path, constants.W_OK | constants.X_OK);
    for (const folder of [directory.logs, directory.rejects])
      mkdirSync(folder, { recursive: true, mode: 0o700 });
    return directory;
  } catch (failure) {
    throw new StackError(
      `The data directory ${path} cannot be written (${reasonOf(failure)}): make it writable, or choose another one with --data-directory.`,
    );
  }
}

/** Deletes what a stack put there, wherever it lies, and nothing else; an emptied directory stays. */
export async function emptyDataDirectory(directory: DataDirectory): Promise<void> {
  await removeEmbeddedDatabase(directory.database);
  const { database, logs, rejects, secretsFile, stackFile } = directory;
  for (const path of [database, logs, rejects, secretsFile, stackFile])
    rmSync(path, { recursive: true, force: true });
}

/** Whether a killed run may have left its database server running. */
export function mayHoldServer({ database }: DataDirectory): boolean {
  return existsSync(database) && readdirSync(database).includes('started-by');
}

import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  rmSync,
  statfsSync,
} from 'node:fs';
import { join } from 'node:path';
import { reasonOf, removeEmbeddedDatabase } from '@gpu-observatory/embedded-database';
import { StackError } from './errors.ts';
import { root } from './root.ts';

export const DEFAULT_DATA_DIRECTORY = join(root, '.local');

/** PostgreSQL fails with less, because a segment of its write-ahead log has 16 MiB. */
const MIN_FREE_BYTES = 32 * 1024 * 1024;

/** Returns the flag that selects a data directory on a command line; empty for the default one. */
export function dataDirectoryFlag(path: string): string {
  return path === DEFAULT_DATA_DIRECTORY ? '' : ` --data-directory '${path}'`;
}

/** Paths of the files of a local stack. Files are readable by their owner only. */
export type DataDirectory = ReturnType<typeof dataDirectoryAt>;

export function dataDirectoryAt(path: string) {
  return {
    path,
    /** Files of the embedded PostgreSQL. */
    database: join(path, 'database'),
    /** One log file per process. */
    logs: join(path, 'logs'),
    /** Lines that imports rejected, with the reason. */
    rejects: join(path, 'rejects'),
    secretsFile: join(path, 'secrets.json'),
    /** Certificate and key of `--https`. */
    certificateFile: join(path, 'certificate.pem'),
    certificateKeyFile: join(path, 'certificate-key.pem'),
    /** URLs of the running stack (`StackFile`). */
    stackFile: join(path, 'stack.json'),
    lockFile: join(path, 'lock'),
    /** Request of `npm run dev` to restart a service (services/restart-request.ts). */
    restartFile: join(path, 'restart'),
  };
}

/**
 * Creates the data directory and its folders if they are missing.
 *
 * @throws {StackError} when it cannot be written
 */
export function openDataDirectory(path: string): DataDirectory {
  try {
    // Root's PostgreSQL runs under another account, which must be able to enter but not to list the directory.
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

/** Returns a message if the disk of the data directory is full. Programs that fail for that reason cannot write a log. */
export function fullDiskMessage(
  path: string,
  statfs: (path: string) => { bavail: number; bsize: number } = statfsSync,
): string | undefined {
  if (!existsSync(path)) return undefined;
  const { bavail, bsize } = statfs(path);
  if (bavail * bsize >= MIN_FREE_BYTES) return undefined;
  return `The disk of ${path} is full: free some space, or choose another --data-directory.`;
}

/** Deletes the files of the stack, including a database outside of the directory, but no other files. */
export async function clearDataDirectory(directory: DataDirectory): Promise<void> {
  await removeEmbeddedDatabase(directory.database);
  const { database, logs, rejects, secretsFile, certificateFile, certificateKeyFile, stackFile } = directory;
  for (const path of [database, logs, rejects, secretsFile, certificateFile, certificateKeyFile, stackFile])
    rmSync(path, { recursive: true, force: true });
}

/** Whether the database server of a killed start may still be running. */
export function mayHaveRunningServer({ database }: DataDirectory): boolean {
  return existsSync(database) && readdirSync(database).includes('started-by');
}

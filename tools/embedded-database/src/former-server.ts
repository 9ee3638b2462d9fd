import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DataDirectory } from './data-directory.ts';
import { EmbeddedDatabaseError } from './errors.ts';
import { describeProcess, type ProcessDescription } from './processes.ts';
import { stopServer } from './server-process.ts';

/**
 * Deals with what an earlier run left behind. A server whose program was killed is stopped: its port and settings may
 * not be the ones wanted now. A server whose program lives is somebody's, and is left alone.
 *
 * @throws EmbeddedDatabaseError when the data directory is in use
 */
export async function stopFormerServer(place: DataDirectory): Promise<void> {
  const lockFile = join(place.cluster, 'postmaster.pid');
  const lock = readIfPresent(lockFile);
  if (lock === undefined) return;

  const pid = Number(lock.split('\n', 1)[0]);
  const holder = describeProcess(pid);
  if (!holder) return; // PostgreSQL itself recognises the lock of a dead process.

  if (!isServerOf(place.cluster, holder)) {
    // The number was given to another program, which PostgreSQL would take for a server. In our own name the lock is
    // known to be stale (a server's parent is no server), and what else it protects, the shared memory of processes
    // that outlived their server, is still checked; deleting the file would give that up.
    writeFileSync(lockFile, lock.replace(/^\d+/, String(process.pid)));
    return;
  }
  const startedBy = Number(readIfPresent(place.startedByFile));
  // A killed program's children go to another parent, so this comparison cannot be fooled by a reused number.
  if (startedBy === holder.parentPid) {
    throw new EmbeddedDatabaseError(
      `The database in ${place.path} is in use by process ${startedBy}: stop that one first, or choose another data directory.`,
    );
  }
  await stopServer(pid, () => !describeProcess(pid));
}

function isServerOf(cluster: string, { commandLine }: ProcessDescription): boolean {
  return commandLine.includes('postgres') && commandLine.includes(`-D ${cluster} `);
}

function readIfPresent(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

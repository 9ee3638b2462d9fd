import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DataDirectory } from './data-directory.ts';
import { EmbeddedDatabaseError } from './errors.ts';
import { describeProcess, type ProcessDescription } from './processes.ts';
import { stopServer } from './server-process.ts';

/**
 * Stops the server of a killed program. It is not reused, because its port and settings may differ.
 *
 * @throws EmbeddedDatabaseError when the program that started the server is still running
 */
export async function stopStaleServer(directory: DataDirectory): Promise<void> {
  const lockFile = join(directory.cluster, 'postmaster.pid');
  const lock = readIfPresent(lockFile);
  if (lock === undefined) return;

  const pid = Number(lock.split('\n', 1)[0]);
  const holder = describeProcess(pid);
  if (!holder) return; // PostgreSQL itself detects the lock of a dead process.

  if (!isServerOf(directory.cluster, holder)) {
    // Another program has the process id now, and PostgreSQL would treat it as a running server. PostgreSQL ignores a
    // lock with the id of its own parent, so the lock gets ours. Deleting the file instead would skip PostgreSQL's check
    // for shared memory of processes that outlived their server.
    writeFileSync(lockFile, lock.replace(/^\d+/, String(process.pid)));
    return;
  }
  const startedBy = Number(readIfPresent(directory.startedByFile));
  // The system reparents the server of a killed program, so a reused process id cannot match here.
  if (startedBy === holder.parentPid) {
    throw new EmbeddedDatabaseError(
      `The database in ${directory.path} is in use by process ${startedBy}: stop that process first, or choose another data directory.`,
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

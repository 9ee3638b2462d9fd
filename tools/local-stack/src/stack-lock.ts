import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { describeProcess, reasonOf } from '@gpu-observatory/embedded-database';
import type { DataDirectory } from './data-directory.ts';
import { StackError } from './errors.ts';

/** The process that uses a data directory. */
interface LockHolder {
  pid: number;
  /** Start time of the process, because the system reuses process ids. */
  started: string;
  url: string;
}

/**
 * Locks a data directory for this process.
 *
 * @param url URL of this stack, for messages
 * @returns `abandoned`: the previous holder was killed, so parts of it may still be exiting
 * @throws {StackError} when another stack is running on it
 */
export function lockDataDirectory(
  directory: DataDirectory,
  url: string,
): { release: () => void; abandoned: boolean } {
  const { lockFile, path } = directory;
  const ownFile = `${lockFile}.${process.pid}`;
  writeFileSync(
    ownFile,
    JSON.stringify({ pid: process.pid, started: startOf(process.pid), url } satisfies LockHolder),
    { mode: 0o600 },
  );
  try {
    for (let abandoned = false; ; abandoned = true) {
      // A hard link appears with its content, so other processes never read a partial file.
      if (tryLink(ownFile, lockFile)) {
        return { release: () => rmSync(lockFile, { force: true }), abandoned };
      }
      const holder = readLockHolder(directory);
      if (holder) {
        throw new StackError(
          `A stack is already running on ${path}: ${holder.url}, process ${holder.pid}. Stop it first (Ctrl-C there, or kill ${holder.pid}), or choose another --data-directory and --port-base.`,
        );
      }
      // The holder was killed.
      rmSync(lockFile, { force: true });
    }
  } finally {
    rmSync(ownFile, { force: true });
  }
}

function tryLink(file: string, target: string): boolean {
  try {
    linkSync(file, target);
    return true;
  } catch (failure) {
    if (reasonOf(failure) === 'EEXIST') return false;
    throw failure;
  }
}

/** Returns the running process that holds the lock; undefined if the lock is free or its holder was killed. */
export function readLockHolder({ lockFile }: DataDirectory): LockHolder | undefined {
  try {
    const holder = JSON.parse(readFileSync(lockFile, 'utf8')) as LockHolder;
    return holder.started !== '' && startOf(holder.pid) === holder.started ? holder : undefined;
  } catch {
    return undefined;
  }
}

const startOf = (pid: number) => describeProcess(pid)?.started ?? '';

import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { DataDirectory } from './data-directory.ts';
import { reasonOf, StackError } from './failures.ts';

/** Who runs a data directory. */
interface Holder {
  pid: number;
  url: string;
}

/**
 * Takes a data directory for this process.
 *
 * @param url where this stack will be found
 * @returns `release` gives it back; `abandoned` when whoever had it was killed, so that its parts may still be ending
 * @throws {StackError} when a stack runs on it already
 */
export function lockDataDirectory(
  directory: DataDirectory,
  url: string,
): { release: () => void; abandoned: boolean } {
  const { lockFile, path } = directory;
  const own = `${lockFile}.${process.pid}`;
  writeFileSync(own, JSON.stringify({ pid: process.pid, url } satisfies Holder), { mode: 0o600 });
  try {
    for (let abandoned = false; ; abandoned = true) {
      // A file that is linked into place appears with its content, so nobody reads it half written.
      if (linked(own, lockFile)) {
        return { release: () => rmSync(lockFile, { force: true }), abandoned };
      }
      const holder = readHolder(lockFile);
      if (holder && isStack(holder.pid)) {
        throw new StackError(
          `It runs already: ${holder.url}, process ${holder.pid}, data in ${path}. Stop that one first (Ctrl-C there, or kill ${holder.pid}), or give this one a --data-directory and a --port-base of its own.`,
        );
      }
      // Its holder was killed.
      rmSync(lockFile, { force: true });
    }
  } finally {
    rmSync(own, { force: true });
  }
}

function linked(file: string, place: string): boolean {
  try {
    linkSync(file, place);
    return true;
  } catch (failure) {
    if (reasonOf(failure) === 'EEXIST') return false;
    throw failure;
  }
}

function readHolder(lockFile: string): Holder | undefined {
  try {
    return JSON.parse(readFileSync(lockFile, 'utf8')) as Holder;
  } catch {
    return undefined;
  }
}

/** Whether a stack runs under this number, which another program may have got after a reboot. */
export function isStack(pid: number): boolean {
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
  } catch (failure) {
    if (reasonOf(failure) !== 'EPERM') return false;
  }
  if (process.platform !== 'linux') return true;
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('local-stack/src/main.ts');
  } catch {
    return false;
  }
}

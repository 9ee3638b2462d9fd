import { execFileSync } from 'node:child_process';
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { DataDirectory } from './data-directory.ts';
import { reasonOf, StackError } from './failures.ts';

/** Who runs a data directory. */
interface Holder {
  pid: number;
  /** Tells it from another program that gets the same number later. */
  started: string;
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
  writeFileSync(
    own,
    JSON.stringify({ pid: process.pid, started: startOf(process.pid), url } satisfies Holder),
    { mode: 0o600 },
  );
  try {
    for (let abandoned = false; ; abandoned = true) {
      // A file that is linked into place appears with its content, so nobody reads it half written.
      if (linked(own, lockFile)) {
        return { release: () => rmSync(lockFile, { force: true }), abandoned };
      }
      const holder = holderOf(directory);
      if (holder) {
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

/** Who runs a data directory now; undefined when nobody does, a killed one included. */
export function holderOf({ lockFile }: DataDirectory): Holder | undefined {
  try {
    const holder = JSON.parse(readFileSync(lockFile, 'utf8')) as Holder;
    return holder.started !== '' && startOf(holder.pid) === holder.started ? holder : undefined;
  } catch {
    return undefined;
  }
}

/** When a process began, in words of the system; empty where it does not run, or where that cannot be told. */
function startOf(pid: number): string {
  try {
    if (process.platform !== 'linux')
      return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' });
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const bootId = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    // "pid (name) state ppid …": the name may hold spaces; the time since boot is the 22nd field.
    return `${bootId} ${stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]}`;
  } catch {
    return '';
  }
}

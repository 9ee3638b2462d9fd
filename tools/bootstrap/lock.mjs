import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { root } from './root.mjs';

/**
 * Runs `work` under a lock, so that only one command at a time installs or builds in this repository. The lock file is in
 * Nx's folder, which git ignores and an install does not delete.
 *
 * @param {() => Promise<void>} work
 */
export async function withLock(work) {
  const folder = join(root, '.nx');
  const lock = join(folder, 'bootstrap.lock');
  mkdirSync(folder, { recursive: true });
  await acquire(lock);
  const release = () => rmSync(lock, { force: true });
  process.once('exit', release);
  try {
    await work();
  } finally {
    process.off('exit', release);
    release();
  }
}

async function acquire(lock) {
  // A hard link appears with its content, so other processes never read a partial file.
  const own = `${lock}.${process.pid}`;
  writeFileSync(own, String(process.pid));
  try {
    for (let announced; ;) {
      try {
        return linkSync(own, lock);
      } catch (error) {
        if (error.code !== 'EEXIST') throw error;
      }
      const holder = readHolder(lock);
      if (holder && isRunning(holder)) {
        if (announced !== holder) {
          console.error(`Waiting for process ${holder}, which is installing or building here.`);
          announced = holder;
        }
        await sleep(300);
      } else {
        // The holder was killed.
        rmSync(lock, { force: true });
      }
    }
  } finally {
    rmSync(own, { force: true });
  }
}

function readHolder(lock) {
  try {
    return Number(readFileSync(lock, 'utf8'));
  } catch {
    return undefined;
  }
}

function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { root } from './root.mjs';

/**
 * Does `work` while no other command of this clone installs or builds; waits for one that does.
 * The lock lies in Nx's folder: git ignores it, and an install, which empties node_modules, leaves it alone.
 *
 * @param {() => Promise<void>} work
 */
export async function withLock(work) {
  const folder = join(root, '.nx');
  const lock = join(folder, 'bootstrap.lock');
  mkdirSync(folder, { recursive: true });
  await take(lock);
  const release = () => rmSync(lock, { force: true });
  process.once('exit', release);
  try {
    await work();
  } finally {
    process.off('exit', release);
    release();
  }
}

async function take(lock) {
  // A file that is linked into place appears with its content, so nobody reads it half written.
  const own = `${lock}.${process.pid}`;
  writeFileSync(own, String(process.pid));
  try {
    for (let announced; ;) {
      try {
        return linkSync(own, lock);
      } catch (error) {
        if (error.code !== 'EEXIST') throw error;
      }
      const holder = holderOf(lock);
      if (holder && isRunning(holder)) {
        if (announced !== holder) {
          console.error(`Process ${holder} is installing or building here; waiting for it.`);
          announced = holder;
        }
        await sleep(300);
      } else {
        // Its holder was killed.
        rmSync(lock, { force: true });
      }
    }
  } finally {
    rmSync(own, { force: true });
  }
}

function holderOf(lock) {
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

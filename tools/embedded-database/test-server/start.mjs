import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, removeEmbeddedDatabase, startEmbeddedDatabase } from '../src/index.ts';

const DIRECTORY_PREFIX = 'gpu-observatory-tests-';

/** @type {import('../src/index.ts').EmbeddedDatabase | undefined} The server of this Jest run, for stop.mjs. */
export let testServer;

/**
 * Jest's global set-up, named by every project's configuration: one PostgreSQL server for the whole run, in a
 * temporary directory. A developer may give a server of their own by TEST_DATABASE_ADMIN_URL (a superuser's URL).
 */
export default async function startTestServer() {
  if (process.env.TEST_DATABASE_RUN) return;
  if (!process.env.TEST_DATABASE_ADMIN_URL) {
    await removeForsakenServers();
    testServer = await startDisposable();
    process.env.TEST_DATABASE_ADMIN_URL = testServer.adminUrl;
    stopOnSignals();
  }
  process.env.TEST_DATABASE_RUN = randomBytes(4).toString('hex');
}

/** Stops the server of this run, if it has one of its own, and deletes its data. */
export async function removeTestServer() {
  if (!testServer) return;
  await testServer.stop();
  await removeEmbeddedDatabase(testServer.dataDirectory);
  rmSync(testServer.dataDirectory, { recursive: true, force: true });
}

async function startDisposable() {
  const dataDirectory = mkdtempSync(join(tmpdir(), `${DIRECTORY_PREFIX}${process.pid}-`));
  // Run by root, the server has another account, which has to pass through.
  chmodSync(dataDirectory, 0o711);
  return startEmbeddedDatabase({
    dataDirectory,
    port: await freePort(),
    superuserPassword: randomBytes(16).toString('hex'),
    disposable: true,
    // Its workers would visit templates while they are being cloned; tests that need statistics run ANALYZE.
    settings: { autovacuum: 'off' },
  });
}

// A run that was killed could not clean up after itself; its process id is in the directory's name.
async function removeForsakenServers() {
  for (const name of readdirSync(tmpdir())) {
    const pid = Number(new RegExp(`^${DIRECTORY_PREFIX}(\\d+)-`).exec(name)?.[1] ?? NaN);
    if (Number.isNaN(pid) || isRunning(pid)) continue;
    const directory = join(tmpdir(), name);
    try {
      await removeEmbeddedDatabase(directory);
      rmSync(directory, { recursive: true, force: true });
    } catch {
      // Another user's, who cleans up in their own next run.
    }
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

// Jest runs no global teardown when it is interrupted.
function stopOnSignals() {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.once(signal, () => void removeTestServer().finally(() => process.kill(process.pid, signal)));
  }
}

import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  describeProcess,
  freePort,
  removeEmbeddedDatabase,
  startEmbeddedDatabase,
} from '@gpu-observatory/embedded-database';

const DIRECTORY_PREFIX = 'gpu-observatory-tests-';

/** @type {import('@gpu-observatory/embedded-database').EmbeddedDatabase | undefined} The server of this Jest run, for stop.mjs. */
export let testServer;

/**
 * Jest's global setup: starts one PostgreSQL server for the whole run, in a temporary directory. With
 * TEST_DATABASE_ADMIN_URL (a superuser's URL) and TEST_DATABASE_LOG (its log file), the tests use that server instead.
 */
export default async function startTestServer() {
  if (!process.env.TEST_DATABASE_ADMIN_URL) {
    await removeOrphanedServers();
    testServer = await startDisposable();
    process.env.TEST_DATABASE_ADMIN_URL = testServer.adminUrl;
    process.env.TEST_DATABASE_LOG = join(testServer.dataDirectory, 'server.log');
    stopOnSignals();
  }
  process.env.TEST_DATABASE_RUN = randomBytes(4).toString('hex');
}

/** Stops the server that this run started and deletes its data. */
export async function removeTestServer() {
  if (!testServer) return;
  await testServer.stop();
  await removeEmbeddedDatabase(testServer.dataDirectory);
  rmSync(testServer.dataDirectory, { recursive: true, force: true });
}

async function startDisposable() {
  const dataDirectory = mkdtempSync(join(tmpdir(), `${DIRECTORY_PREFIX}${process.pid}-`));
  // For root, the server runs under another account, which must be able to enter.
  chmodSync(dataDirectory, 0o711);
  return startEmbeddedDatabase({
    dataDirectory,
    port: await freePort(),
    superuserPassword: randomBytes(16).toString('hex'),
    disposable: true,
    // Autovacuum sessions on a template would make its clone fail. Tests that need statistics run ANALYZE.
    settings: { autovacuum: 'off' },
  });
}

// Cleans up after killed runs. The name of the directory contains the process id of the run.
async function removeOrphanedServers() {
  for (const name of readdirSync(tmpdir())) {
    const pid = Number(new RegExp(`^${DIRECTORY_PREFIX}(\\d+)-`).exec(name)?.[1] ?? NaN);
    if (Number.isNaN(pid) || describeProcess(pid)) continue;
    const directory = join(tmpdir(), name);
    try {
      await removeEmbeddedDatabase(directory);
      rmSync(directory, { recursive: true, force: true });
    } catch {
      // It belongs to another user; that user's next run cleans up.
    }
  }
}

// Jest does not run the global teardown when it is interrupted.
function stopOnSignals() {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.once(signal, () => void removeTestServer().finally(() => process.kill(process.pid, signal)));
  }
}

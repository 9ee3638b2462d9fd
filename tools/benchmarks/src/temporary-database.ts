import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, removeEmbeddedDatabase, startEmbeddedDatabase } from '@gpu-observatory/embedded-database';

export interface TemporaryDatabase {
  /** The folder of the database, where a benchmark may put its own files too. */
  directory: string;
  adminUrl: string;
  /** Returns the URL for a role, with a new random password. */
  roleUrl(role: string): string;
}

/** Starts a PostgreSQL server in a temporary folder. The stack stops it and deletes the folder. */
export async function startTemporaryDatabase(started: AsyncDisposableStack): Promise<TemporaryDatabase> {
  const directory = await mkdtemp(join(tmpdir(), 'gpu-observatory-bench-'));
  started.defer(() => rm(directory, { recursive: true, force: true }));
  const dataDirectory = join(directory, 'database');
  // A server that root starts keeps its files elsewhere.
  started.defer(() => removeEmbeddedDatabase(dataDirectory));
  const database = await startEmbeddedDatabase({
    dataDirectory,
    port: await freePort(),
    superuserPassword: randomBytes(16).toString('hex'),
  });
  started.defer(() => database.stop());
  return {
    directory,
    adminUrl: database.adminUrl,
    roleUrl: (role) =>
      Object.assign(new URL(database.adminUrl), {
        username: role,
        password: randomBytes(16).toString('hex'),
      }).href,
  };
}

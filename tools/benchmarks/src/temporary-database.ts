import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, removeEmbeddedDatabase, startEmbeddedDatabase } from '@gpu-observatory/embedded-database';
import { runCommand } from './service-process.ts';

export interface TemporaryDatabase {
  /** The folder of the database, where a benchmark may put its own files too. */
  directory: string;
  /** Settings of the service and its operations commands. */
  environment: Record<
    'ADMINISTRATOR_DATABASE_URL' | 'OWNER_DATABASE_URL' | 'DATABASE_URL' | 'LOG_LEVEL',
    string
  >;
}

/** Starts PostgreSQL with a migrated schema in a temporary folder. The stack stops it and deletes the folder. */
export async function startTemporaryDatabase(
  started: AsyncDisposableStack,
  service: 'account-service' | 'website-api',
  roles: { owner: string; service: string },
): Promise<TemporaryDatabase> {
  const directory = await mkdtemp(join(tmpdir(), 'gpu-observatory-bench-'));
  started.defer(() => rm(directory, { recursive: true, force: true }));
  const dataDirectory = join(directory, 'database');
  // A server that root starts keeps its files elsewhere.
  started.defer(() => removeEmbeddedDatabase(dataDirectory));
  const password = () => randomBytes(16).toString('hex');
  const database = await startEmbeddedDatabase({
    dataDirectory,
    port: await freePort(),
    superuserPassword: password(),
  });
  started.defer(() => database.stop());
  const urlOf = (username: string) =>
    Object.assign(new URL(database.adminUrl), { username, password: password() }).href;
  const environment = {
    ADMINISTRATOR_DATABASE_URL: database.adminUrl,
    OWNER_DATABASE_URL: urlOf(roles.owner),
    DATABASE_URL: urlOf(roles.service),
    LOG_LEVEL: 'warn',
  };
  await runCommand(service, ['database', 'prepare'], environment);
  await runCommand(service, ['migrate'], environment);
  return { directory, environment };
}

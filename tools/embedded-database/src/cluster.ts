import { spawn } from 'node:child_process';
import {
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { DataDirectory } from './data-directory.ts';
import { EmbeddedDatabaseError, reasonOf } from './errors.ts';
import { PROGRAM_ENVIRONMENT, type Installation } from './installation.ts';
import { describeProcess } from './processes.ts';

/** Superuser of every cluster. */
export const SUPERUSER = 'postgres';

/**
 * Creates the cluster if it does not exist. It is created under a temporary name and then renamed, so an interrupted start
 * leaves no partial cluster.
 *
 * @throws EmbeddedDatabaseError when initdb fails or the existing cluster has another major version
 */
export async function ensureCluster(
  directory: DataDirectory,
  installation: Installation,
  superuserPassword: string,
  disposable: boolean,
): Promise<void> {
  removePartialClusters(directory.cluster);
  if (existsSync(directory.cluster)) {
    checkMajorVersion(directory, installation);
    return;
  }
  const unfinished = `${directory.cluster}.initializing-${process.pid}`;
  try {
    mkdirSync(unfinished, { mode: 0o700 });
    const passwordFile = join(unfinished, 'password');
    writeFileSync(passwordFile, superuserPassword, { mode: 0o600 });
    if (directory.serverUser) {
      for (const path of [unfinished, passwordFile])
        chownSync(path, directory.serverUser.uid, directory.serverUser.gid);
    }
    await initdb(directory, installation, join(unfinished, 'cluster'), passwordFile, disposable);
    renameSync(join(unfinished, 'cluster'), directory.cluster);
  } catch (error) {
    if (error instanceof EmbeddedDatabaseError) throw error;
    throw new EmbeddedDatabaseError(
      `The database cannot be created in ${directory.cluster} (${reasonOf(error)}): make the folder writable, or choose another data directory.`,
    );
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
}

function initdb(
  { serverUser }: DataDirectory,
  { initdb: program }: Installation,
  directory: string,
  passwordFile: string,
  disposable: boolean,
): Promise<void> {
  // Text compares by code point with Unicode case mapping, the same on every machine.
  const args = [
    `--pgdata=${directory}`,
    `--username=${SUPERUSER}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--no-instructions',
    ...(disposable ? ['--no-sync'] : []),
  ];
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      ...serverUser,
      cwd: '/',
      env: PROGRAM_ENVIRONMENT,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let errors = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
    child.once('error', reject);
    child.once('close', (code) => {
      if (code === 0) resolve();
      else reject(new Error(/error: (.*)|FATAL: +(.*)/.exec(errors)?.[0] ?? errors.trim()));
    });
  });
}

function checkMajorVersion({ path, cluster }: DataDirectory, { majorVersion }: Installation): void {
  const versionFile = join(cluster, 'PG_VERSION');
  const found = existsSync(versionFile) ? readFileSync(versionFile, 'utf8').trim() : undefined;
  if (found === majorVersion) return;
  const content = found ? `contains data of PostgreSQL ${found}` : 'contains no PostgreSQL database';
  throw new EmbeddedDatabaseError(
    `${path} ${content}, but this version needs PostgreSQL ${majorVersion}: choose another data directory, or start with --reset to delete the data.`,
  );
}

function removePartialClusters(cluster: string): void {
  const prefix = `${basename(cluster)}.initializing-`;
  for (const name of readdirSync(dirname(cluster))) {
    if (name.startsWith(prefix) && !describeProcess(Number(name.slice(prefix.length)))) {
      rmSync(join(dirname(cluster), name), { recursive: true, force: true });
    }
  }
}

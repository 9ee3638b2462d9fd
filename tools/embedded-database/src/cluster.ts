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

/** Superuser of every cluster made here. */
export const SUPERUSER = 'postgres';

/**
 * Makes the cluster unless there is one. It is made beside its place and moved there whole, so a start that is cut
 * short leaves no half cluster.
 *
 * @throws EmbeddedDatabaseError when initdb fails or the cluster there is of another major version
 */
export async function ensureCluster(
  place: DataDirectory,
  installation: Installation,
  superuserPassword: string,
  disposable: boolean,
): Promise<void> {
  removeUnfinished(place.cluster);
  if (existsSync(place.cluster)) {
    refuseOtherVersion(place, installation);
    return;
  }
  const unfinished = `${place.cluster}.initializing-${process.pid}`;
  try {
    mkdirSync(unfinished, { mode: 0o700 });
    const passwordFile = join(unfinished, 'password');
    writeFileSync(passwordFile, superuserPassword, { mode: 0o600 });
    if (place.serverUser) {
      for (const path of [unfinished, passwordFile])
        chownSync(path, place.serverUser.uid, place.serverUser.gid);
    }
    await initdb(place, installation, join(unfinished, 'cluster'), passwordFile, disposable);
    renameSync(join(unfinished, 'cluster'), place.cluster);
  } catch (error) {
    if (error instanceof EmbeddedDatabaseError) throw error;
    throw new EmbeddedDatabaseError(
      `The database cannot be made in ${place.cluster} (${reasonOf(error)}): make the folder writable, or choose another data directory.`,
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
  // Text sorts and compares by code point, with Unicode's letter cases, on every machine alike.
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
    let complaints = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (complaints += text));
    child.once('error', reject);
    child.once('close', (code) => {
      if (code === 0) resolve();
      else reject(new Error(/error: (.*)|FATAL: +(.*)/.exec(complaints)?.[0] ?? complaints.trim()));
    });
  });
}

function refuseOtherVersion({ path, cluster }: DataDirectory, { majorVersion }: Installation): void {
  const versionFile = join(cluster, 'PG_VERSION');
  const found = existsSync(versionFile) ? readFileSync(versionFile, 'utf8').trim() : undefined;
  if (found === majorVersion) return;
  const what = found ? `holds data of PostgreSQL ${found}` : 'holds something that is no database';
  throw new EmbeddedDatabaseError(
    `${path} ${what}, and this version runs PostgreSQL ${majorVersion}: choose another data directory, or start with --reset to delete it and begin anew.`,
  );
}

function removeUnfinished(cluster: string): void {
  const prefix = `${basename(cluster)}.initializing-`;
  for (const name of readdirSync(dirname(cluster))) {
    if (name.startsWith(prefix) && !describeProcess(Number(name.slice(prefix.length)))) {
      rmSync(join(dirname(cluster), name), { recursive: true, force: true });
    }
  }
}

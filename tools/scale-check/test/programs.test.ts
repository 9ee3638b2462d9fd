import { findOrInstallPrograms, MissingPrograms, packagesOf, type Programs } from '../src/programs.ts';

const all: Programs = {
  initdb: '/pg/initdb',
  pgBasebackup: '/pg/pg_basebackup',
  postgres: '/pg/postgres',
  pgbouncer: '/sbin/pgbouncer',
  haproxy: '/sbin/haproxy',
  openssl: '/bin/openssl',
};

it('installs nothing when all programs exist', () => {
  const install = () => {
    throw new Error('nothing is missing');
  };
  expect(findOrInstallPrograms({ find: () => ({ found: all, missing: [] }), install })).toBe(all);
});

it('installs the packages of missing programs, each once', () => {
  const requested: (readonly string[])[] = [];
  let installed = false;
  const programs = findOrInstallPrograms({
    find: () =>
      installed ? { found: all, missing: [] } : { found: {}, missing: ['initdb', 'postgres', 'haproxy'] },
    install: (packages) => {
      requested.push(packages);
      return (installed = true);
    },
  });
  expect(programs).toBe(all);
  expect(requested).toEqual([['postgresql', 'haproxy']]);
});

it('lists missing programs and the install command when it cannot install', () => {
  const find = () => ({ found: {}, missing: ['pgbouncer', 'haproxy'] as (keyof Programs)[] });
  const run = () => findOrInstallPrograms({ find, install: () => false });
  expect(run).toThrow(MissingPrograms);
  expect(run).toThrow('Missing programs: pgbouncer, haproxy.');
  expect(run).toThrow('apt-get install --no-install-recommends pgbouncer haproxy.');
});

it('lists programs that are still missing after the installation', () => {
  const find = () => ({ found: {}, missing: ['initdb'] as (keyof Programs)[] });
  expect(() => findOrInstallPrograms({ find, install: () => true })).toThrow(MissingPrograms);
  expect(packagesOf(['initdb', 'pgBasebackup', 'postgres'])).toEqual(['postgresql']);
});

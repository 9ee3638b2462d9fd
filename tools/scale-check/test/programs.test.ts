import { findOrInstallPrograms, MissingPrograms, packagesOf, type Programs } from '../src/programs.ts';

const all: Programs = {
  initdb: '/pg/initdb',
  pgBasebackup: '/pg/pg_basebackup',
  postgres: '/pg/postgres',
  pgbouncer: '/sbin/pgbouncer',
  haproxy: '/sbin/haproxy',
  openssl: '/bin/openssl',
};

it('installs nothing where everything is there', () => {
  const install = () => {
    throw new Error('nothing is missing');
  };
  expect(findOrInstallPrograms({ find: () => ({ found: all, missing: [] }), install })).toBe(all);
});

it('has the packages of what is missing installed, each once', () => {
  const asked: (readonly string[])[] = [];
  let installed = false;
  const programs = findOrInstallPrograms({
    find: () =>
      installed ? { found: all, missing: [] } : { found: {}, missing: ['initdb', 'postgres', 'haproxy'] },
    install: (packages) => {
      asked.push(packages);
      return (installed = true);
    },
  });
  expect(programs).toBe(all);
  expect(asked).toEqual([['postgresql', 'haproxy']]);
});

it('says what is missing, and what brings it, where it may not install', () => {
  const find = () => ({ found: {}, missing: ['pgbouncer', 'haproxy'] as (keyof Programs)[] });
  const tried = () => findOrInstallPrograms({ find, install: () => false });
  expect(tried).toThrow(MissingPrograms);
  expect(tried).toThrow('This machine has no pgbouncer, haproxy.');
  expect(tried).toThrow('apt-get install --no-install-recommends pgbouncer haproxy.');
});

it('says so too where the packages did not bring it', () => {
  const find = () => ({ found: {}, missing: ['initdb'] as (keyof Programs)[] });
  expect(() => findOrInstallPrograms({ find, install: () => true })).toThrow(MissingPrograms);
  expect(packagesOf(['initdb', 'pgBasebackup', 'postgres'])).toEqual(['postgresql']);
});

import { randomBytes } from 'node:crypto';
import { query } from '@gpu-observatory/embedded-database';
import { createTestDatabase, type TestDatabase } from '@gpu-observatory/testing';
import pg from 'pg';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createOperations, serviceSettings } from '../../src/process.ts';
import { as } from '../support/as.ts';

class CreateNotes1700000000001 implements MigrationInterface {
  async up(runner: QueryRunner) {
    await runner.query('CREATE TABLE website.notes (id bigint)');
  }
  async down() {}
}

const suffix = randomBytes(4).toString('hex');
const owner = { name: `website_owner_${suffix}`, password: 'owner of the website' };
const runtime = { name: `website_api_${suffix}`, password: 'reader of the website' };
const environment = { ...process.env };
let testDatabase: TestDatabase;

beforeAll(async () => {
  testDatabase = await createTestDatabase('service-runtime/operations', () => Promise.resolve());
  Object.assign(process.env, {
    LOG_LEVEL: 'silent',
    ADMINISTRATOR_DATABASE_URL: testDatabase.url,
    OWNER_DATABASE_URL: as(testDatabase.url, owner),
    DATABASE_URL: as(testDatabase.url, runtime),
  });
});
afterAll(async () => {
  process.env = environment;
  for (const { name } of [owner, runtime]) {
    await query(testDatabase.url, `DROP OWNED BY ${pg.escapeIdentifier(name)} CASCADE`);
    await query(testDatabase.url, `DROP ROLE ${pg.escapeIdentifier(name)}`);
  }
  await testDatabase.drop();
});

/** Returns the output of an operations command. */
async function run(...words: string[]): Promise<string> {
  const program = createOperations({
    name: 'website-api',
    schema: 'website',
    migrations: [CreateNotes1700000000001],
    settings: serviceSettings,
    runtimeUrlVariables: ['DATABASE_URL'],
  });
  let printed = '';
  const write = jest.spyOn(process.stdout, 'write').mockImplementation((text) => {
    printed += String(text);
    return true;
  });
  try {
    await program.parseAsync(words, { from: 'user' });
  } finally {
    write.mockRestore();
  }
  return printed;
}

test('prepares and migrates the database repeatedly', async () => {
  for (let times = 0; times < 2; times++) {
    await run('database', 'prepare');
    await run('migrate');
  }
  expect(await query(as(testDatabase.url, owner), 'SELECT id FROM website.notes')).toEqual([]);
  await expect(query(as(testDatabase.url, runtime), 'SELECT id FROM website.notes')).rejects.toMatchObject({
    code: '42501',
  });
});

test('lists every missing variable', async () => {
  const { OWNER_DATABASE_URL, DATABASE_URL } = process.env;
  delete process.env['OWNER_DATABASE_URL'];
  delete process.env['DATABASE_URL'];
  try {
    await expect(run('migrate')).rejects.toThrow('OWNER_DATABASE_URL is missing: it should be');
    await expect(run('database', 'prepare')).rejects.toThrow(
      /OWNER_DATABASE_URL is missing: .*\nDATABASE_URL is missing: /,
    );
  } finally {
    Object.assign(process.env, { OWNER_DATABASE_URL, DATABASE_URL });
  }
});

test('lists every setting with its accepted values', async () => {
  const variables = JSON.parse(await run('config', '--json')) as { variable: string; accepts: string }[];
  expect(variables.map(({ variable }) => variable)).toEqual(Object.keys(serviceSettings));
  expect(variables.every(({ accepts }) => accepts.length > 10)).toBe(true);
  expect(await run('config')).toContain(
    'PORT\n    an integer from 0 to 65535: the public port (default 8080)\n',
  );
});

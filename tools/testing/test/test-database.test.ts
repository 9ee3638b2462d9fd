import { randomUUID } from 'node:crypto';
import { query } from '@gpu-observatory/embedded-database';
import { createTestDatabase, type TestDatabase } from '../src/index.ts';

const created: TestDatabase[] = [];

afterAll(() => Promise.all(created.map((database) => database.drop())));

async function create(key: string, prepare: (adminUrl: string) => Promise<void>): Promise<TestDatabase> {
  const database = await createTestDatabase(key, prepare);
  created.push(database);
  return database;
}

const makeTable = async (adminUrl: string) => {
  await query(adminUrl, 'CREATE TABLE colors AS SELECT 1 AS id');
};

test('prepares a template once and creates a separate database for each call', async () => {
  const key = randomUUID();
  const prepare = jest.fn(makeTable);
  const [one, two] = await Promise.all([create(key, prepare), create(key, prepare)]);
  expect(prepare).toHaveBeenCalledTimes(1);

  await query(one.url, 'INSERT INTO colors (id) VALUES (2)');
  expect(await query(one.url, 'SELECT count(*)::int AS count FROM colors')).toEqual([{ count: 2 }]);
  expect(await query(two.url, 'SELECT count(*)::int AS count FROM colors')).toEqual([{ count: 1 }]);
  expect(await query(two.url, 'SELECT current_database() AS name')).toEqual([{ name: two.name }]);
});

test('never runs two preparations concurrently, so that role names do not collide', async () => {
  const role = `reader_${randomUUID().replaceAll('-', '_')}`;
  let running = 0;
  const prepare = async (adminUrl: string) => {
    expect(++running).toBe(1);
    const [found] = await query(adminUrl, `SELECT 1 FROM pg_roles WHERE rolname = '${role}'`);
    if (!found) await query(adminUrl, `CREATE ROLE ${role}`);
    running--;
  };
  await Promise.all([
    create(randomUUID(), prepare),
    create(randomUUID(), prepare),
    create(randomUUID(), prepare),
  ]);
  const [database] = created.slice(-1);
  await query(database!.url, `DROP ROLE ${role}`);
});

test('repeats a failed preparation', async () => {
  const key = randomUUID();
  const failing = async (adminUrl: string) => {
    await makeTable(adminUrl);
    throw new Error('migration failed');
  };
  await expect(create(key, failing)).rejects.toThrow('migration failed');
  const { url } = await create(key, makeTable);
  expect(await query(url, 'SELECT id FROM colors')).toEqual([{ id: 1 }]);
});

test('drops a database with open sessions', async () => {
  const { url, drop } = await create(randomUUID(), makeTable);
  const sleeping = query(url, 'SELECT pg_sleep(30)').catch((error: Error) => error.message);
  await query(url, `SELECT pg_sleep(0.05)`);
  await drop();
  expect(await sleeping).toMatch(/terminating connection|Connection terminated/);
  await expect(query(url, 'SELECT 1')).rejects.toThrow('does not exist');
});

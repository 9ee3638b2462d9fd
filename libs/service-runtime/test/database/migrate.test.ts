import { createTestDatabase, type TestDatabase } from '@gpu-observatory/embedded-database';
import { DependencyUnavailable } from '@gpu-observatory/error-envelopes';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { migrate } from '../../src/index.ts';
import { query } from '../support/query.ts';
import { silentLogger } from '../support/silent-logger.ts';

/** Slow on purpose, so that a second run would surely overlap. */
class CreateNotes1700000000001 implements MigrationInterface {
  async up(runner: QueryRunner) {
    await runner.query('SELECT pg_sleep(0.2)');
    await runner.query('CREATE TABLE fleet.notes (id bigint)');
  }
  async down() {}
}
class AddFirstNote1700000000002 implements MigrationInterface {
  async up(runner: QueryRunner) {
    await runner.query('INSERT INTO fleet.notes (id) VALUES (1)');
  }
  async down() {}
}
class Fails1700000000003 implements MigrationInterface {
  async up(runner: QueryRunner) {
    await runner.query('INSERT INTO fleet.notes (id) VALUES (3)');
    await runner.query('SELECT nonsense');
  }
  async down() {}
}

let place: TestDatabase;

beforeEach(async () => {
  place = await createTestDatabase('service-runtime/migrate', async (adminUrl) => {
    await query(adminUrl, 'CREATE SCHEMA fleet');
  });
});
afterEach(() => place.drop());

const both = [CreateNotes1700000000001, AddFirstNote1700000000002];
const run = (migrations: (new () => MigrationInterface)[], url = place.url) =>
  migrate({ url, schema: 'fleet', migrations, logger: silentLogger });
const notes = () => query(place.url, 'SELECT id::int FROM fleet.notes ORDER BY id');

test('runs each migration once however many replicas begin at once', async () => {
  const ran = await Promise.all([run(both), run(both), run(both)]);
  expect(ran.flat().sort()).toEqual(['AddFirstNote1700000000002', 'CreateNotes1700000000001']);
  expect(await notes()).toEqual([{ id: 1 }]);
  expect(await query(place.url, 'SELECT name FROM fleet.migrations ORDER BY id')).toEqual([
    { name: 'CreateNotes1700000000001' },
    { name: 'AddFirstNote1700000000002' },
  ]);
});

test('runs what is new, and what fails leaves nothing behind', async () => {
  expect(await run([CreateNotes1700000000001])).toEqual(['CreateNotes1700000000001']);
  await expect(run([...both, Fails1700000000003])).rejects.toThrow('nonsense');
  expect(await notes()).toEqual([{ id: 1 }]);
  expect(await run(both)).toEqual([]);
});

test('says that the database is away', async () => {
  const url = new URL(place.url);
  url.port = '1';
  await expect(run(both, url.href)).rejects.toBeInstanceOf(DependencyUnavailable);
});

import { setTimeout as sleep } from 'node:timers/promises';
import { query } from '@gpu-observatory/embedded-database';
import { createTestDatabase, Stopwatch, type TestDatabase } from '@gpu-observatory/testing';
import pg from 'pg';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { IncompatibleSchema } from '../../src/database/migration-history.ts';
import { DependencyUnavailable, migrate } from '../../src/process.ts';
import { silentLogger } from '../support/silent-logger.ts';

/** Slow on purpose, so that a concurrent run would overlap. */
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

let testDatabase: TestDatabase;

beforeEach(async () => {
  testDatabase = await createTestDatabase('service-runtime/migrate', async (adminUrl) => {
    await query(adminUrl, 'CREATE SCHEMA fleet');
  });
});
afterEach(() => testDatabase.drop());

const migrations = [CreateNotes1700000000001, AddFirstNote1700000000002];
const run = (migrations: (new () => MigrationInterface)[], url = testDatabase.url, lockAttempts = 15) =>
  migrate({ url, schema: 'fleet', migrations, logger: silentLogger, lockAttempts });
const notes = () => query(testDatabase.url, 'SELECT id::int FROM fleet.notes ORDER BY id');

test('runs each migration once when several replicas migrate at the same time', async () => {
  const ran = await Promise.all([run(migrations), run(migrations), run(migrations)]);
  expect(ran.flat().sort()).toEqual(['AddFirstNote1700000000002', 'CreateNotes1700000000001']);
  expect(await notes()).toEqual([{ id: 1 }]);
  expect(await query(testDatabase.url, 'SELECT name FROM fleet.migrations ORDER BY id')).toEqual([
    { name: 'CreateNotes1700000000001' },
    { name: 'AddFirstNote1700000000002' },
  ]);
});

test('runs pending migrations and rolls back one that fails', async () => {
  expect(await run([CreateNotes1700000000001])).toEqual(['CreateNotes1700000000001']);
  await expect(run([...migrations, Fails1700000000003])).rejects.toThrow('nonsense');
  expect(await notes()).toEqual([{ id: 1 }]);
  expect(await run(migrations)).toEqual([]);
});

test('rejects a schema of another migration history and changes nothing', async () => {
  await run(migrations);
  const error: unknown = await run([Fails1700000000003]).catch((failure: unknown) => failure);
  expect(error).toBeInstanceOf(IncompatibleSchema);
  expect((error as Error).message).toMatch(
    /^the schema "fleet" was created by an incompatible version: .*\((CreateNotes1700000000001|AddFirstNote1700000000002), /,
  );
  await expect(run([AddFirstNote1700000000002])).rejects.toBeInstanceOf(IncompatibleSchema);
  expect(await notes()).toEqual([{ id: 1 }]);
  expect(await run(migrations)).toEqual([]);
});

test('accepts the schema of a newer release, for a rollback', async () => {
  await run(migrations);
  expect(await run([CreateNotes1700000000001])).toEqual([]);
});

describe('a table that another transaction has locked', () => {
  class AddText1700000000004 implements MigrationInterface {
    async up(runner: QueryRunner) {
      await runner.query('ALTER TABLE fleet.notes ADD COLUMN text text');
    }
    async down() {}
  }
  const all = [...migrations, AddText1700000000004];
  let holder: pg.Client;

  beforeEach(async () => {
    await run(migrations);
    holder = new pg.Client({ connectionString: testDatabase.url });
    await holder.connect();
    await holder.query('BEGIN');
    await holder.query('SELECT id FROM fleet.notes');
  });
  afterEach(() => holder.end());

  test('stays readable between attempts and is migrated once it is unlocked', async () => {
    const migrating = run(all);
    // Queues behind the migration, at most for its lock timeout.
    await sleep(500);
    const stopwatch = new Stopwatch();
    expect(await notes()).toEqual([{ id: 1 }]);
    stopwatch.stop();
    expect(stopwatch.milliseconds).toBeLessThan(2_800);
    await holder.query('COMMIT');
    expect(await migrating).toEqual(['AddText1700000000004']);
    expect(await query(testDatabase.url, 'SELECT text FROM fleet.notes')).toEqual([{ text: null }]);
  });

  test('makes the migration fail after its last attempt with a message on what to do', async () => {
    await expect(run(all, testDatabase.url, 1)).rejects.toThrow(
      /^a migration could not lock a table in 1 attempts, because another transaction holds a lock on it\. The migration changed nothing\. Find long transactions in pg_stat_activity/,
    );
    await holder.query('COMMIT');
    expect(await run(all)).toEqual(['AddText1700000000004']);
  });
});

test('reports an unavailable database', async () => {
  const url = new URL(testDatabase.url);
  url.port = '1';
  await expect(run(migrations, url.href)).rejects.toBeInstanceOf(DependencyUnavailable);
});

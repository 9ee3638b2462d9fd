import { setTimeout as sleep } from 'node:timers/promises';
import { createTestDatabase, Stopwatch, type TestDatabase } from '@gpu-observatory/embedded-database';
import { DependencyUnavailable } from '@gpu-observatory/error-envelopes';
import pg from 'pg';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { IncompatibleSchema, migrate } from '../../src/index.ts';
import { query } from '../support/query.ts';
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

let place: TestDatabase;

beforeEach(async () => {
  place = await createTestDatabase('service-runtime/migrate', async (adminUrl) => {
    await query(adminUrl, 'CREATE SCHEMA fleet');
  });
});
afterEach(() => place.drop());

const both = [CreateNotes1700000000001, AddFirstNote1700000000002];
const run = (migrations: (new () => MigrationInterface)[], url = place.url, lockAttempts = 15) =>
  migrate({ url, schema: 'fleet', migrations, logger: silentLogger, lockAttempts });
const notes = () => query(place.url, 'SELECT id::int FROM fleet.notes ORDER BY id');

test('runs each migration once when several replicas migrate at the same time', async () => {
  const ran = await Promise.all([run(both), run(both), run(both)]);
  expect(ran.flat().sort()).toEqual(['AddFirstNote1700000000002', 'CreateNotes1700000000001']);
  expect(await notes()).toEqual([{ id: 1 }]);
  expect(await query(place.url, 'SELECT name FROM fleet.migrations ORDER BY id')).toEqual([
    { name: 'CreateNotes1700000000001' },
    { name: 'AddFirstNote1700000000002' },
  ]);
});

test('runs pending migrations and rolls back one that fails', async () => {
  expect(await run([CreateNotes1700000000001])).toEqual(['CreateNotes1700000000001']);
  await expect(run([...both, Fails1700000000003])).rejects.toThrow('nonsense');
  expect(await notes()).toEqual([{ id: 1 }]);
  expect(await run(both)).toEqual([]);
});

test('rejects a schema of another migration history and changes nothing', async () => {
  await run(both);
  const error: unknown = await run([Fails1700000000003]).catch((failure: unknown) => failure);
  expect(error).toBeInstanceOf(IncompatibleSchema);
  expect((error as Error).message).toMatch(
    /^the schema "fleet" was created by an incompatible version: .*\((CreateNotes1700000000001|AddFirstNote1700000000002), /,
  );
  await expect(run([AddFirstNote1700000000002])).rejects.toBeInstanceOf(IncompatibleSchema);
  expect(await notes()).toEqual([{ id: 1 }]);
  expect(await run(both)).toEqual([]);
});

test('accepts the schema of a newer release, for a rollback', async () => {
  await run(both);
  expect(await run([CreateNotes1700000000001])).toEqual([]);
});

describe('a table that another transaction has locked', () => {
  class AddText1700000000004 implements MigrationInterface {
    async up(runner: QueryRunner) {
      await runner.query('ALTER TABLE fleet.notes ADD COLUMN text text');
    }
    async down() {}
  }
  const all = [...both, AddText1700000000004];
  let holder: pg.Client;

  beforeEach(async () => {
    await run(both);
    holder = new pg.Client({ connectionString: place.url });
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
    expect(await query(place.url, 'SELECT text FROM fleet.notes')).toEqual([{ text: null }]);
  });

  test('makes the migration fail after its last attempt with a message on what to do', async () => {
    await expect(run(all, place.url, 1)).rejects.toThrow(
      /^a migration could not lock a table in 1 attempts, because another transaction holds a lock on it\. The migration changed nothing\. Find long transactions in pg_stat_activity/,
    );
    await holder.query('COMMIT');
    expect(await run(all)).toEqual(['AddText1700000000004']);
  });
});

test('reports an unavailable database', async () => {
  const url = new URL(place.url);
  url.port = '1';
  await expect(run(both, url.href)).rejects.toBeInstanceOf(DependencyUnavailable);
});

import { query } from '@gpu-observatory/embedded-database';
import { createTestDatabase, Stopwatch, type TestDatabase } from '@gpu-observatory/testing';
import { pino } from 'pino';
import type { DatabaseOptions } from '../../src/database/database.ts';
import { loggerOptions } from '../../src/logging/logger.ts';
import { type Database, DependencyUnavailable } from '../../src/process.ts';
import { openDatabase } from '../support/open-database.ts';

let testDatabase: TestDatabase;
const opened: Database[] = [];

beforeAll(async () => {
  testDatabase = await createTestDatabase('service-runtime/database', async (adminUrl) => {
    await query(adminUrl, 'CREATE TABLE notes (id bigint PRIMARY KEY, text text)');
  });
});
afterEach(() => Promise.all(opened.splice(0).map((database) => database.stop())));
afterAll(() => testDatabase.drop());

function open(options: Partial<DatabaseOptions> = {}): Database {
  const database = openDatabase(testDatabase.url, options);
  opened.push(database);
  return database;
}

const insert = (id: number) => ({
  text: 'INSERT INTO notes (id, text) VALUES ($1, $2)',
  values: [id, 'note'],
});
const count = async (database: Database, id: number) =>
  (
    await database.query<{ count: number }>({
      text: 'SELECT count(*) FROM notes WHERE id = $1',
      values: [id],
    })
  )[0]?.count;

async function milliseconds(work: Promise<unknown>): Promise<number> {
  const stopwatch = new Stopwatch();
  await work.catch(() => undefined);
  stopwatch.stop();
  return stopwatch.milliseconds;
}

test('returns bigint as numbers, in arrays too', async () => {
  const rows = await open().query({
    text: "SELECT 9007199254740991::bigint AS one, ARRAY[1, NULL, -3]::bigint[] AS many, '{}'::bigint[] AS none",
  });
  expect(rows).toEqual([{ one: 9007199254740991, many: [1, null, -3], none: [] }]);
});

test.each([
  [true, ['pick']],
  [false, []],
])('prepares a named statement once per connection: %s', async (namedStatements, expected) => {
  const database = open({ poolSize: 1, namedStatements });
  for (const value of [1, 2, 3]) {
    const rows = await database.query({ name: 'pick', text: 'SELECT $1::int AS value', values: [value] });
    expect(rows).toEqual([{ value }]);
  }
  const prepared = await database.query<{ name: string }>({
    text: 'SELECT name FROM pg_prepared_statements',
  });
  expect(prepared.map((statement) => statement.name)).toEqual(expected);
});

test('rethrows a statement error and keeps the connection', async () => {
  const database = open({ poolSize: 1 });
  const pid = async () => (await database.query({ text: 'SELECT pg_backend_pid() AS pid' }))[0];
  const before = await pid();
  await expect(database.query({ text: 'SELECT nonsense' })).rejects.toMatchObject({ code: '42703' });
  expect(await pid()).toEqual(before);
});

test('fails only the statement whose value cannot be serialized', async () => {
  const database = open({ poolSize: 1 });
  const circular: Record<string, unknown> = {};
  circular['self'] = circular;
  await expect(database.query({ text: 'SELECT $1::json', values: [circular] })).rejects.toThrow(/circular/i);
  expect(await database.query({ text: 'SELECT 1 AS one' })).toEqual([{ one: 1 }]);
});

describe('a transaction', () => {
  test('commits', async () => {
    const database = open();
    expect(await database.transaction(async (transaction) => transaction.query(insert(1)))).toEqual([]);
    expect(await count(database, 1)).toBe(1);
  });

  test('rolls back when its work throws, and rethrows any error unchanged', async () => {
    const database = open({ poolSize: 1 });
    const thrown = new Error('the code timed out: connection terminated');
    const work = database.transaction(async (transaction) => {
      await transaction.query(insert(2));
      throw thrown;
    });
    await expect(work).rejects.toBe(thrown);
    expect(await count(database, 2)).toBe(0);
  });

  test('rolls back when a statement fails', async () => {
    const database = open({ poolSize: 1 });
    const work = database.transaction(async (transaction) => {
      await transaction.query(insert(3));
      await transaction.query(insert(3));
    });
    await expect(work).rejects.toMatchObject({ code: '23505' });
    expect(await count(database, 3)).toBe(0);
  });

  test('throws when the server rolled back instead of committing', async () => {
    const database = open({ poolSize: 1 });
    const work = database.transaction(async (transaction) => {
      await transaction.query(insert(4));
      await transaction.query(insert(4)).catch(() => undefined);
      return 'done';
    });
    await expect(work).rejects.toThrow('The transaction was rolled back');
    expect(await count(database, 4)).toBe(0);
  });

  test('rejects statements after its end', async () => {
    const database = open({ poolSize: 1 });
    const ended = await database.transaction(async (transaction) => ({ transaction }));
    await expect(ended.transaction.query(insert(5))).rejects.toThrow('The transaction has ended');
    expect(await count(database, 5)).toBe(0);
  });

  test('rethrows the error of its work even if its connection broke at the same time', async () => {
    const database = open({ poolSize: 1 });
    const thrown = new Error('refused');
    const work = database.transaction(async (transaction) => {
      const [row] = await transaction.query<{ pid: number }>({ text: 'SELECT pg_backend_pid() AS pid' });
      await open().query({ text: 'SELECT pg_terminate_backend($1)', values: [row?.pid] });
      await new Promise((resolve) => setTimeout(resolve, 50));
      throw thrown;
    });
    await expect(work).rejects.toBe(thrown);
    expect(await database.query({ text: 'SELECT 1 AS one' })).toEqual([{ one: 1 }]);
  });

  test('fails after its timeout, which includes waits inside of the work', async () => {
    const database = open({ poolSize: 1 });
    const work = database.transaction(() => new Promise(() => undefined), { timeoutMs: 100 });
    expect(await milliseconds(work)).toBeLessThan(1_000);
    await expect(work).rejects.toBeInstanceOf(DependencyUnavailable);
    expect(await database.query({ text: 'SELECT 1 AS one' })).toEqual([{ one: 1 }]);
  });
});

test('closes the connection of a statement that timed out', async () => {
  const database = open({ poolSize: 1 });
  const slow = database.query({ text: 'SELECT pg_sleep(5)', timeoutMs: 100 });
  expect(await milliseconds(slow)).toBeLessThan(1_000);
  await expect(slow).rejects.toBeInstanceOf(DependencyUnavailable);
  expect(await database.query({ text: 'SELECT 1 AS one' })).toEqual([{ one: 1 }]);
});

test('never returns the result of one caller to another, even if many time out', async () => {
  const database = open({ poolSize: 6 });
  let succeeded = 0;
  let timedOut = 0;
  /** Scales the timeouts until both outcomes occur, on machines of any speed. */
  let timeoutFactor = 1;
  const sendStatement = async (value: number) => {
    const timeoutMs = (15 + (value % 40)) * timeoutFactor;
    const seconds = value % 7 === 0 ? 0.03 : 0;
    const statement = {
      name: 'echo',
      text: 'SELECT $1::int AS value, pg_sleep($2)',
      values: [value, seconds],
    };
    const asking = value % 2 === 0 ? database : undefined;
    try {
      const rows = asking
        ? await asking.query<{ value: number }>({ ...statement, timeoutMs })
        : await database.transaction((transaction) => transaction.query<{ value: number }>(statement), {
            timeoutMs,
          });
      expect(rows[0]?.value).toBe(value);
      succeeded += 1;
    } catch (failure) {
      expect(failure).toBeInstanceOf(DependencyUnavailable);
      timedOut += 1;
    }
  };
  let next = 0;
  const caller = async () => {
    while (next < 2_500) {
      await sendStatement(next++);
      if (next % 100 !== 0) continue;
      if (succeeded < next / 10) timeoutFactor *= 1.5;
      if (timedOut < next / 10) timeoutFactor /= 1.5;
    }
  };
  await Promise.all(Array.from({ length: 12 }, caller));
  // Both outcomes happened; their numbers depend on the machine.
  expect(succeeded).toBeGreaterThan(20);
  expect(timedOut).toBeGreaterThan(20);
  expect(await database.query({ text: 'SELECT 1 AS one' })).toEqual([{ one: 1 }]);
});

describe('quick reads on shared connections', () => {
  const echo = (value: number, seconds = 0) => ({
    name: 'echo',
    text: 'SELECT $1::int AS value, pg_sleep($2)::text AS slept, pg_backend_pid() AS pid',
    values: [value, seconds],
    isQuickRead: true,
  });
  type Echo = { value: number; pid: number };
  /** Opens a database and waits until its shared connections are used. */
  async function openShared(options: Partial<DatabaseOptions> = {}): Promise<Database> {
    const database = open({ poolSize: 6, sharedConnections: 2, ...options });
    for (let used = false; !used;) {
      const rows = await Promise.all([1, 2, 3, 4].map((value) => database.query<Echo>(echo(value))));
      used = new Set(rows.map(([row]) => row?.pid)).size < rows.length;
    }
    return database;
  }

  it('returns each caller its own result despite errors, delays and closed connections', async () => {
    const database = await openShared();
    const killer = open({ poolSize: 1 });
    let next = 0;
    const failures: unknown[] = [];
    const caller = async () => {
      while (next < 1_500) {
        const value = next++;
        if (value % 13 === 0) {
          const failing = database.query({ text: 'SELECT 1 / $1::int', values: [0], isQuickRead: true });
          const failure: unknown = await failing.catch((error: unknown) => error);
          if (failure instanceof DependencyUnavailable) failures.push(failure);
          else expect(failure).toMatchObject({ code: '22012' });
        } else if (value % 301 === 300) {
          await killer.query({
            text: `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
              WHERE datname = current_database() AND pid <> pg_backend_pid() AND query LIKE 'SELECT $1::int AS value%'`,
          });
        } else {
          // The sleep is longer than the accepted delay of a shared connection.
          const rows = await database
            .query<Echo>(echo(value, value % 97 === 0 ? 0.1 : 0))
            .catch((error: unknown) => {
              failures.push(error);
              return null;
            });
          if (rows !== null) expect(rows.map((row) => row.value)).toEqual([value]);
        }
      }
    };
    await Promise.all(Array.from({ length: 24 }, caller));
    // Only reads whose connection of the pool was closed may fail.
    for (const failure of failures) expect(failure).toBeInstanceOf(DependencyUnavailable);
    expect(failures.length).toBeLessThan(200);
  });

  it('moves reads behind a slow one to other connections', async () => {
    const database = await openShared({ sharedConnections: 1 });
    const finished: number[] = [];
    const read = async (value: number, seconds: number) => {
      const [row] = await database.query<Echo>(echo(value, seconds));
      finished.push(row?.value as number);
    };
    await Promise.all([read(0, 2), ...[1, 2, 3, 4].map((value) => read(value, 0))]);
    expect(finished.at(-1)).toBe(0);
    expect(finished.toSorted()).toEqual([0, 1, 2, 3, 4]);
  });

  it('fails only the read whose value cannot be serialized', async () => {
    const database = await openShared();
    const circular: Record<string, unknown> = {};
    circular['self'] = circular;
    const [failed, ...others] = await Promise.allSettled([
      database.query({ text: 'SELECT $1::json', values: [circular], isQuickRead: true }),
      ...[1, 2, 3, 4].map((value) => database.query<Echo>(echo(value))),
    ]);
    expect(failed).toMatchObject({
      status: 'rejected',
      reason: { message: expect.stringMatching(/circular/i) },
    });
    expect(others.map((outcome) => outcome.status === 'fulfilled' && outcome.value[0]?.value)).toEqual([
      1, 2, 3, 4,
    ]);
  });

  it('counts shared connections in the size of the pool', async () => {
    const database = await openShared({ poolSize: 4 });
    await Promise.all(Array.from({ length: 20 }, (_unused, value) => database.query<Echo>(echo(value, 0.2))));
    expect(database.connections.total).toBeLessThanOrEqual(4);
  });

  it('times out like other statements', async () => {
    const database = await openShared();
    const slow = database.query({ ...echo(1, 5), timeoutMs: 100 });
    await expect(slow).rejects.toBeInstanceOf(DependencyUnavailable);
    expect(await database.query<Echo>(echo(2))).toMatchObject([{ value: 2 }]);
  });
});

test.each([
  ['a shared connection', true],
  ['a connection of the pool', false],
])('runs a statement again that a migration made invalid on %s', async (_connection, isQuickRead) => {
  const database = open({ poolSize: 3, sharedConnections: 1 });
  const table = `migrated_${isQuickRead}`;
  const read = () => database.query({ name: 'read', text: `SELECT c FROM ${table}`, isQuickRead });
  await database.query({ text: `CREATE TABLE ${table} (c int)` });
  await Promise.all([read(), read()]);
  await read();
  await database.query({ text: `ALTER TABLE ${table} ALTER c TYPE text` });
  expect(await Promise.all([read(), read()])).toEqual([[], []]);
  expect(await read()).toEqual([]);
});

test('fails requests that wait for a connection within 3 s', async () => {
  const database = open({ poolSize: 1 });
  const hog = database.query({ text: 'SELECT pg_sleep(6)', timeoutMs: 30_000 });
  await new Promise((resolve) => setTimeout(resolve, 50));
  const waiters = await Promise.all(
    Array.from({ length: 20 }, async () => {
      const waiting = database.query({ text: 'SELECT 1' });
      const took = await milliseconds(waiting);
      await expect(waiting).rejects.toBeInstanceOf(DependencyUnavailable);
      return took;
    }),
  );
  expect(Math.max(...waiters)).toBeLessThan(3_000);
  expect(database.connections).toEqual({ total: 1, idle: 0, waiting: 0 });
  await hog;
  expect(await database.query({ text: 'SELECT 1 AS one' })).toEqual([{ one: 1 }]);
});

test.each([
  ['a wrong password', (url: URL) => (url.password = 'wrong')],
  ['an unknown database', (url: URL) => (url.pathname = '/nowhere')],
  ['an unknown host', (url: URL) => (url.hostname = 'nowhere.invalid')],
  ['a closed port', (url: URL) => (url.port = '1')],
])('reports a failed connection as an unavailable dependency: %s', async (_name, change) => {
  const url = new URL(testDatabase.url);
  change(url);
  const database = open({ url: url.href });
  await expect(database.query({ text: 'SELECT 1' })).rejects.toBeInstanceOf(DependencyUnavailable);
});

test('logs the error of a lost idle connection, without the connection', async () => {
  const logged = new Promise<Record<string, unknown>>((resolve) => {
    const write = (line: string) => resolve(JSON.parse(line) as Record<string, unknown>);
    const database = open({ logger: pino(loggerOptions('test', 'warn'), { write }) });
    void database
      .query<{ pid: number }>({ text: 'SELECT pg_backend_pid() AS pid' })
      .then(([row]) => open().query({ text: 'SELECT pg_terminate_backend($1)', values: [row?.pid] }));
  });
  const { msg, err } = await logged;
  expect(msg).toBe('lost an idle database connection');
  expect(err).toMatchObject({ code: '57P01', severity: 'FATAL' });
  expect(err).not.toHaveProperty('client');
});

test('reports whether the database is available', async () => {
  const database = open();
  expect(database.unavailableReason).toBe('the database is unavailable');
  await database.start();
  expect(database.unavailableReason).toBeNull();
});

it('reports a read-only database and a full disk as not writable while reads succeed', async () => {
  const database = open();
  await database.start();
  expect(database.notWritableReason).toBeNull();
  await expect(
    database.query({ text: "DO $$ BEGIN RAISE EXCEPTION 'full' USING ERRCODE = 'disk_full'; END $$" }),
  ).rejects.toThrow(DependencyUnavailable);
  expect(database.notWritableReason).toBe('the disk of the database is full');
  expect(database.unavailableReason).toBeNull();

  const url = new URL(testDatabase.url);
  url.searchParams.set('options', '-c default_transaction_read_only=on');
  const readOnly = open({ url: url.href });
  await readOnly.start();
  expect(readOnly.notWritableReason).toBe('the database is read-only');
  await expect(readOnly.query(insert(99))).rejects.toThrow(DependencyUnavailable);
  expect(await count(readOnly, 99)).toBe(0);
});

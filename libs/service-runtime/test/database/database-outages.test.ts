import { type DedicatedServer, startDedicatedServer, Stopwatch } from '@gpu-observatory/testing';
import { ProbeTimeout } from '../../src/database/probe-timeout.ts';
import { type Database, DependencyUnavailable } from '../../src/process.ts';
import { openDatabase } from '../support/open-database.ts';

/** Limit of every response, plus tolerance for the machine. */
const MAX_RESPONSE_MS = 3_000 + 250;
/** Probes that fail before an outage is reported. Each waits longer while this process is late. */
const PROBES = 2;
const MAX_RECOVERY_MS = 5_000;

let server: DedicatedServer;
let database: Database;
let stopwatch: Stopwatch;
const probeTimeout = new ProbeTimeout();

beforeAll(async () => {
  server = await startDedicatedServer();
  stopwatch = new Stopwatch();
});
beforeEach(async () => {
  database = openDatabase(server.adminUrl, { poolSize: 7, sharedConnections: 2 });
  await database.start();
  await Promise.all(Array.from({ length: 5 }, () => database.query({ text: 'SELECT pg_sleep(0.01)' })));
});
afterEach(() => database.stop());
afterAll(() => {
  stopwatch.stop();
  return server.remove();
});

interface Outcome {
  milliseconds: number;
  failure: unknown;
}

async function outcomeOf(work: Promise<unknown>): Promise<Outcome> {
  const startedAt = stopwatch.milliseconds;
  const failure = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return { milliseconds: stopwatch.milliseconds - startedAt, failure };
}

/** Every kind of caller, in flight when the outage begins; some have a long timeout. */
const callers = (): Promise<unknown>[] => [
  database.query({ text: 'SELECT pg_sleep(10)', timeoutMs: 20_000 }),
  database.query({ text: 'SELECT pg_sleep(10)' }),
  database.query({ text: 'SELECT pg_sleep(10)', isQuickRead: true, timeoutMs: 20_000 }),
  database.transaction(
    async (transaction) => {
      await transaction.query({ text: 'SELECT 1' });
      await transaction.query({ text: 'SELECT pg_sleep(10)' });
    },
    { timeoutMs: 20_000 },
  ),
];

/** Queries with a long timeout until stopped: none may hang or fail with another error. */
async function askAllTheWhile(outage: () => Promise<void>): Promise<Outcome[]> {
  probeTimeout.start();
  const outcomes: Promise<Outcome>[] = callers().map(outcomeOf);
  let asking = true;
  const asker = (async () => {
    while (asking) {
      outcomes.push(outcomeOf(database.query({ text: 'SELECT 1', timeoutMs: 20_000 })));
      outcomes.push(outcomeOf(database.query({ text: 'SELECT 1', timeoutMs: 20_000, isQuickRead: true })));
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  })();
  await new Promise((resolve) => setTimeout(resolve, 60));
  await outage();
  asking = false;
  await asker;
  return Promise.all(outcomes);
}

const maxResponseMs = () => MAX_RESPONSE_MS + PROBES * probeTimeout.extraMs;

function expectPromptRefusals(outcomes: Outcome[]): void {
  expect(Math.max(...outcomes.map((outcome) => outcome.milliseconds))).toBeLessThan(maxResponseMs());
  const failures = outcomes.map((outcome) => outcome.failure).filter((failure) => failure !== undefined);
  expect(failures.length).toBeGreaterThan(10);
  expect(failures.filter((failure) => !(failure instanceof DependencyUnavailable))).toEqual([]);
}

async function millisecondsUntilItAnswers(): Promise<number> {
  const startedAt = stopwatch.milliseconds;
  while (
    database.unavailableReason !== null ||
    (await outcomeOf(database.query({ text: 'SELECT 1' }))).failure
  ) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return stopwatch.milliseconds - startedAt;
}

/** Waits until the outage is detected, which must happen in time, and a while longer. */
async function beAway(): Promise<void> {
  const startedAt = stopwatch.milliseconds;
  while (database.unavailableReason === null) await new Promise((resolve) => setTimeout(resolve, 20));
  expect(stopwatch.milliseconds - startedAt).toBeLessThan(maxResponseMs());
  expect(database.unavailableReason).toBe('the database is unavailable');
  await new Promise((resolve) => setTimeout(resolve, 1_000));
}

test('fails fast while the server is killed, and recovers soon after it is back', async () => {
  const outcomes = await askAllTheWhile(async () => {
    await server.kill();
    await beAway();
  });
  expectPromptRefusals(outcomes);
  await server.start();
  expect(await millisecondsUntilItAnswers()).toBeLessThan(MAX_RECOVERY_MS);
});

test('fails fast while the server is frozen, long timeouts included, and recovers soon after', async () => {
  const outcomes = await askAllTheWhile(async () => {
    server.freeze();
    await beAway();
  });
  expectPromptRefusals(outcomes);
  server.thaw();
  expect(await millisecondsUntilItAnswers()).toBeLessThan(MAX_RECOVERY_MS);
});

test('rethrows the error of a transaction on a frozen server without delay', async () => {
  const thrown = new Error('refused');
  const { failure, milliseconds } = await outcomeOf(
    database.transaction(async (transaction) => {
      await transaction.query({ text: 'SELECT 1' });
      server.freeze();
      throw thrown;
    }),
  );
  expect(failure).toBe(thrown);
  expect(milliseconds).toBeLessThan(1_000);
  const startedAt = stopwatch.milliseconds;
  await database.stop();
  expect(stopwatch.milliseconds - startedAt).toBeLessThan(1_500);
  server.thaw();
});

test('connects to a server that starts later than the service', async () => {
  await server.kill();
  await database.stop();
  database = openDatabase(server.adminUrl, { poolSize: 1 });
  await database.start();
  expect(database.unavailableReason).toBe('the database is unavailable');
  await server.start();
  expect(await millisecondsUntilItAnswers()).toBeLessThan(MAX_RECOVERY_MS);
});

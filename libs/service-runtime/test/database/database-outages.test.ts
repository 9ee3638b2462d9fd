import { type DedicatedServer, startDedicatedServer, Stopwatch } from '@gpu-observatory/embedded-database';
import { DependencyUnavailable } from '@gpu-observatory/error-envelopes';
import { Database } from '../../src/index.ts';
import { silentLogger } from '../support/silent-logger.ts';

/** Within this every answer leaves; what the machine itself is late by comes on top. */
const ANSWER_WITHIN_MS = 3_000 + 250;
const RECOVERY_WITHIN_MS = 5_000;

let server: DedicatedServer;
let database: Database;
let stopwatch: Stopwatch;

beforeAll(async () => {
  server = await startDedicatedServer();
  stopwatch = new Stopwatch();
});
beforeEach(async () => {
  database = new Database({
    url: server.adminUrl,
    poolSize: 5,
    namedStatements: true,
    applicationName: 'test',
    logger: silentLogger,
  });
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
  const begun = stopwatch.milliseconds;
  const failure = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return { milliseconds: stopwatch.milliseconds - begun, failure };
}

/** Every kind of caller there is, patient ones among them, each in flight when the outage begins. */
const callers = (): Promise<unknown>[] => [
  database.query({ text: 'SELECT pg_sleep(10)', timeoutMs: 20_000 }),
  database.query({ text: 'SELECT pg_sleep(10)' }),
  database.transaction(
    async (transaction) => {
      await transaction.query({ text: 'SELECT 1' });
      await transaction.query({ text: 'SELECT pg_sleep(10)' });
    },
    { timeoutMs: 20_000 },
  ),
];

/** Goes on asking, patiently, until told to stop: no question may hang or fail in another way. */
async function askAllTheWhile(outage: () => Promise<void>): Promise<Outcome[]> {
  const outcomes: Promise<Outcome>[] = callers().map(outcomeOf);
  let asking = true;
  const asker = (async () => {
    while (asking) {
      outcomes.push(outcomeOf(database.query({ text: 'SELECT 1', timeoutMs: 20_000 })));
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  })();
  await new Promise((resolve) => setTimeout(resolve, 60));
  await outage();
  asking = false;
  await asker;
  return Promise.all(outcomes);
}

function expectPromptRefusals(outcomes: Outcome[]): void {
  expect(Math.max(...outcomes.map((outcome) => outcome.milliseconds))).toBeLessThan(ANSWER_WITHIN_MS);
  const failures = outcomes.map((outcome) => outcome.failure).filter((failure) => failure !== undefined);
  expect(failures.length).toBeGreaterThan(10);
  expect(failures.filter((failure) => !(failure instanceof DependencyUnavailable))).toEqual([]);
}

async function millisecondsUntilItAnswers(): Promise<number> {
  const begun = stopwatch.milliseconds;
  while (
    database.unavailableReason !== null ||
    (await outcomeOf(database.query({ text: 'SELECT 1' }))).failure
  ) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return stopwatch.milliseconds - begun;
}

/** Until the database is known to be away, which it has to be in time, and a while longer. */
async function beAway(): Promise<void> {
  const begun = stopwatch.milliseconds;
  while (database.unavailableReason === null) await new Promise((resolve) => setTimeout(resolve, 20));
  expect(stopwatch.milliseconds - begun).toBeLessThan(ANSWER_WITHIN_MS);
  expect(database.unavailableReason).toBe('the database does not answer');
  await new Promise((resolve) => setTimeout(resolve, 1_000));
}

test('a killed server: prompt refusals, and answers again soon after it is back', async () => {
  const outcomes = await askAllTheWhile(async () => {
    await server.kill();
    await beAway();
  });
  expectPromptRefusals(outcomes);
  await server.start();
  expect(await millisecondsUntilItAnswers()).toBeLessThan(RECOVERY_WITHIN_MS);
});

test('a frozen server: prompt refusals, patient callers included, and answers again soon after', async () => {
  const outcomes = await askAllTheWhile(async () => {
    server.freeze();
    await beAway();
  });
  expectPromptRefusals(outcomes);
  server.thaw();
  expect(await millisecondsUntilItAnswers()).toBeLessThan(RECOVERY_WITHIN_MS);
});

test('a throw in a transaction on a frozen server is neither masked nor kept waiting', async () => {
  const refusal = new Error('refused');
  const { failure, milliseconds } = await outcomeOf(
    database.transaction(async (transaction) => {
      await transaction.query({ text: 'SELECT 1' });
      server.freeze();
      throw refusal;
    }),
  );
  expect(failure).toBe(refusal);
  expect(milliseconds).toBeLessThan(1_000);
  const begun = stopwatch.milliseconds;
  await database.stop();
  expect(stopwatch.milliseconds - begun).toBeLessThan(1_500);
  server.thaw();
});

test('a server that is not there at the start may come later', async () => {
  await server.kill();
  await database.stop();
  database = new Database({
    url: server.adminUrl,
    poolSize: 1,
    namedStatements: true,
    applicationName: 'test',
    logger: silentLogger,
  });
  await database.start();
  expect(database.unavailableReason).toBe('the database does not answer');
  await server.start();
  expect(await millisecondsUntilItAnswers()).toBeLessThan(RECOVERY_WITHIN_MS);
});

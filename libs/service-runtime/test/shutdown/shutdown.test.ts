import { Agent, get } from 'node:http';
import { connect } from 'node:net';
import { freePort } from '@gpu-observatory/embedded-database';
import { createTestDatabase, type TestDatabase } from '@gpu-observatory/testing';
import { type ChildService, isReady, startChildService } from '../support/child-service.ts';

let testDatabase: TestDatabase;
const started: ChildService[] = [];

beforeAll(async () => {
  testDatabase = await createTestDatabase('service-runtime/shutdown', () => Promise.resolve());
});
afterEach(() => {
  for (const { process } of started.splice(0)) process.kill('SIGKILL');
});
afterAll(() => testDatabase.drop());

async function start(environment: Record<string, string> = {}): Promise<ChildService> {
  const service = await startChildService({
    DATABASE_URL: testDatabase.url,
    SHUTDOWN_DRAIN_SECONDS: '1',
    ...environment,
  });
  started.push(service);
  return service;
}

/** Returns the status of one request over a keep-alive connection. */
function ask(url: string, agent: Agent): Promise<number> {
  return new Promise((resolve, reject) => {
    get(url, { agent }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode ?? 0));
    }).on('error', reject);
  });
}

test('loses no request under load, a running one included, and exits with code 0', async () => {
  const service = await start();
  const agent = new Agent({ keepAlive: true, maxSockets: 20 });
  const statuses: number[] = [];
  // Like a load balancer: traffic continues over keep-alive connections until readiness fails.
  let ready = true;
  const client = async () => {
    while (ready) statuses.push(await ask(`${service.url}/slow?milliseconds=5`, agent));
  };
  const watch = async () => {
    while (ready) {
      ready = await isReady(service);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  };
  const load = Promise.all([...Array.from({ length: 20 }, client), watch()]);
  await new Promise((resolve) => setTimeout(resolve, 300));
  const late = ask(`${service.url}/slow?milliseconds=2000`, agent);
  await new Promise((resolve) => setTimeout(resolve, 50));
  const startedAt = performance.now();
  service.process.kill('SIGTERM');
  await load;
  expect(await late).toBe(200);
  expect(await service.exited).toBe(0);
  expect(performance.now() - startedAt).toBeLessThan(12_000);
  // Enough to show that there was load, on a slow machine too.
  expect(statuses.length).toBeGreaterThan(10);
  expect(statuses.filter((status) => status !== 200)).toEqual([]);
  expect(service.stdout()).toContain('"msg":"closed"');
  expect(service.stderr()).toBe('');
});

test('an idle connection and a second signal do not delay the exit', async () => {
  const service = await start({ SHUTDOWN_DRAIN_SECONDS: '0' });
  const { hostname, port } = new URL(service.url);
  const silent = connect(Number(port), hostname).on('error', () => undefined);
  const agent = new Agent({ keepAlive: true });
  expect(await ask(`${service.url}/slow?milliseconds=0`, agent)).toBe(200);
  const startedAt = performance.now();
  service.process.kill('SIGINT');
  service.process.kill('SIGTERM');
  expect(await service.exited).toBe(0);
  expect(performance.now() - startedAt).toBeLessThan(10_000);
  silent.destroy();
});

test.each<[string, () => Promise<Record<string, string>>, RegExp]>([
  [
    'a missing variable',
    () => Promise.resolve({ DATABASE_URL: '' }),
    /^stopping-service cannot start:\nDATABASE_URL is missing: it should be .*\n$/,
  ],
  [
    'a port in use',
    () => Promise.resolve({ PORT: new URL(started[0]!.url).port }),
    /^stopping-service cannot start:\nport \d+ is in use: .*\n$/,
  ],
  [
    'the same public and management port',
    async () => {
      const port = String(await freePort());
      return { PORT: port, MANAGEMENT_PORT: port };
    },
    /^stopping-service cannot start:\nport \d+ is in use: .*\n$/,
  ],
])('prints one line when it cannot start: %s', async (_name, change, message) => {
  await start();
  const failing = await start(await change());
  expect(await failing.exited).toBe(1);
  expect(failing.stderr()).toMatch(message);
});

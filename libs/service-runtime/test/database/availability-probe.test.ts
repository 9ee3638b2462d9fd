import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { createTestDatabase, type TestDatabase } from '@gpu-observatory/testing';
import { AvailabilityProbe } from '../../src/database/availability-probe.ts';
import { ProbeTimeout } from '../../src/database/probe-timeout.ts';

/** Longer than the probe's timeout without a delay. */
const DELAY_MS = 1_300;
const MS = 1e6;

let testDatabase: TestDatabase;
let proxy: Server;
let url: URL;

beforeAll(async () => {
  testDatabase = await createTestDatabase('service-runtime/availability-probe', () => Promise.resolve());
  url = new URL(testDatabase.url);
  const { hostname, port } = url;
  proxy = createServer((client) => {
    const server = connect(Number(port), hostname);
    client.on('error', () => server.destroy()).pipe(server);
    server.on('error', () => client.destroy());
    void sleep(DELAY_MS).then(() => server.pipe(client));
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  url.hostname = '127.0.0.1';
  url.port = String((proxy.address() as AddressInfo).port);
});
afterAll(async () => {
  proxy.close();
  await testDatabase.drop();
});

test.each([
  ['aborts the probe of a slow database while its event loop is on time', 0, false],
  ['waits longer for the database while its own event loop is late', 700, true],
])('%s', async (_title, delayMs, isAvailable) => {
  const probe = new AvailabilityProbe(
    url.href,
    new ProbeTimeout({ max: delayMs * MS, reset: () => undefined }),
  );
  await probe.start();
  expect(probe.isAvailable).toBe(isAvailable);
  probe.stop();
});

test('measures the delay of the event loop since the start of a probe, up to a limit', async () => {
  const timeout = new ProbeTimeout();
  timeout.start();
  // The monitor takes its first measurement after two intervals.
  await sleep(100);
  const blockedUntil = performance.now() + 200;
  while (performance.now() < blockedUntil);
  await sleep(50);
  expect(timeout.extraMs).toBeGreaterThan(500);
  expect(new ProbeTimeout({ max: 60_000 * MS, reset: () => undefined }).extraMs).toBe(4_000);
});

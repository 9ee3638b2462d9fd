import { Server } from 'node:http';
import { watchRequests } from '../../src/shutdown/quiet.ts';

/** Lets requests arrive every 50 ms, and returns the waiting time since the last one of them. */
async function waitDuring(loadMs: number): Promise<{ totalMs: number; sinceLastMs: number }> {
  const server = new Server();
  const untilQuiet = watchRequests(server);
  const startedAt = performance.now();
  let lastAt = startedAt;
  const request = () => {
    lastAt = performance.now();
    server.emit('request');
  };
  request();
  const load = setInterval(request, 50);
  const endOfLoad = setTimeout(() => clearInterval(load), loadMs);
  await untilQuiet();
  clearInterval(load);
  clearTimeout(endOfLoad);
  return { totalMs: performance.now() - startedAt, sinceLastMs: performance.now() - lastAt };
}

test('waits until no request has arrived for half a second', async () => {
  const { sinceLastMs } = await waitDuring(1_000);
  expect(sinceLastMs).toBeGreaterThan(490);
});

test('waits 3 s at most, and not at all without requests', async () => {
  const { totalMs } = await waitDuring(60_000);
  expect(totalMs).toBeGreaterThan(2_990);
  const startedAt = performance.now();
  await watchRequests(new Server())();
  expect(performance.now() - startedAt).toBeLessThan(500);
});

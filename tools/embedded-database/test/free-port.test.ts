import { once } from 'node:events';
import { createServer } from 'node:net';
import { freePort } from '../src/index.ts';

it('gives each who asks another port, which is below those that the system gives out', async () => {
  const ports = await Promise.all(Array.from({ length: 50 }, freePort));
  expect(new Set(ports).size).toBe(50);
  expect(Math.max(...ports)).toBeLessThan(32_768);
});

it('passes over a port that is taken', async () => {
  const one = await freePort();
  const takers = [1, 2, 3].map((more) => createServer().listen(one + more, '127.0.0.1'));
  await Promise.all(takers.map((taker) => once(taker, 'listening')));
  try {
    expect(await freePort()).toBe(one + 4);
  } finally {
    for (const taker of takers) taker.close();
  }
});

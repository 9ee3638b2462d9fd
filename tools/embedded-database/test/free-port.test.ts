import { once } from 'node:events';
import { createServer } from 'node:net';
import { freePort } from '../src/index.ts';

it('returns distinct ports below the ephemeral range', async () => {
  const ports = await Promise.all(Array.from({ length: 50 }, freePort));
  expect(new Set(ports).size).toBe(50);
  expect(Math.max(...ports)).toBeLessThan(32_768);
});

it('skips ports that are in use', async () => {
  const one = await freePort();
  const servers = [1, 2, 3].map((offset) => createServer().listen(one + offset, '127.0.0.1'));
  await Promise.all(servers.map((server) => once(server, 'listening')));
  try {
    expect(await freePort()).toBe(one + 4);
  } finally {
    for (const server of servers) server.close();
  }
});

import { createConnection } from 'node:net';
import { networkInterfaces } from 'node:os';
import { demoAccounts, startIdentityProvider, type IdentityProviderOptions } from '../src/index.ts';
import { clients, signIn, startTestProvider } from './support/test-provider.ts';

function connects(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection({ host, port, timeout: 1000 });
    const settle = (connected: boolean) => () => {
      socket.destroy();
      resolve(connected);
    };
    socket.once('connect', settle(true)).once('error', settle(false)).once('timeout', settle(false));
  });
}

function started(options: Partial<IdentityProviderOptions>) {
  return startIdentityProvider({ port: 0, accounts: demoAccounts, clients, ...options });
}

it('listens on 127.0.0.1 only', async () => {
  const provider = await startTestProvider();
  try {
    const port = Number(new URL(provider.url).port);
    const others = Object.values(networkInterfaces())
      .flatMap((addresses) => addresses ?? [])
      .map(({ address, scopeid }) => (scopeid ? `${address}%${scopeid}` : address))
      .filter((address) => address !== '127.0.0.1');
    // On Linux, this reaches a listener at 0.0.0.0 even on a machine without other interfaces.
    others.push('127.0.0.2');
    expect(await connects('127.0.0.1', port)).toBe(true);
    for (const address of others) expect([address, await connects(address, port)]).toEqual([address, false]);
  } finally {
    await provider.stop();
  }
});

it('frees its port when it stops, even with an open connection', async () => {
  const provider = await startTestProvider();
  const { hostname, port } = new URL(provider.url);
  const idle = createConnection({ host: hostname, port: Number(port) });
  const closed = new Promise((resolve) => idle.once('close', resolve));
  await fetch(provider.url);
  await provider.stop();
  await closed;
  expect(await connects(hostname, Number(port))).toBe(false);
});

it('does not start in production', async () => {
  const before = process.env['NODE_ENV'];
  process.env['NODE_ENV'] = 'production';
  try {
    await expect(started({})).rejects.toThrow('does not start with NODE_ENV=production');
  } finally {
    process.env['NODE_ENV'] = before;
  }
});

it('reports a port that is in use', async () => {
  const provider = await startTestProvider();
  const { port } = new URL(provider.url);
  await expect(started({ port: Number(port) })).rejects.toThrow(`Port ${port} on 127.0.0.1 is in use`);
  await provider.stop();
});

it('returns endpoints at the public URL', async () => {
  const provider = await started({ publicUrl: 'http://localhost:14003' });
  expect(provider.github.userUrl).toBe('http://localhost:14003/github/api/user');
  await provider.stop();
});

it('rejects accounts with the same provider id and keeps the previous ones', async () => {
  const provider = await startTestProvider();
  const twin = { ...demoAccounts[0]!, email: 'twin@acme.example' };
  expect(() => provider.replaceAccounts([demoAccounts[0]!, twin])).toThrow('two accounts have the github id');
  const url = await signIn(provider, 'github', 'grace@globex.example');
  expect(url.searchParams.has('code')).toBe(true);
  await provider.stop();
});

import { once } from 'node:events';
import { IncomingMessage, ServerResponse } from 'node:http';
import { connect, Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { WriteBuffer } from '../../src/index.ts';
import { type EchoService, startEchoService } from '../support/echo-service.ts';

const MB = 1024 * 1024;
/** More than the operating system buffers for one connection. */
const LENGTH = 24 * MB;

const sockets: Socket[] = [];
let service: EchoService;

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await service?.close();
});

async function open(): Promise<Socket> {
  const socket = connect(service.port, '127.0.0.1').on('error', () => undefined);
  sockets.push(socket);
  await once(socket, 'connect');
  return socket;
}

/** Sends a request over its own connection and reads nothing of the response. */
async function sendUnread(owner: string): Promise<Socket> {
  const socket = (await open()).pause();
  const headers = `Host: a\r\nX-Owner: ${owner}\r\nConnection: close\r\n\r\n`;
  socket.write(`GET /bytes/${LENGTH}?letter=${owner} HTTP/1.1\r\n${headers}`);
  return socket;
}

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await sleep(10);
}

async function cutResponses(): Promise<number> {
  return Number(/^responses_cut_total\S* (\d+)$/m.exec(await service.metrics.registry.metrics())?.[1]);
}

test('cuts a response that its client does not read, and serves a client that reads slowly', async () => {
  const stallTimeoutMs = 1_500;
  service = await startEchoService({ stallTimeoutMs });
  await sendUnread('a');
  await sendUnread('b');
  const slow = await fetch(`${service.url}/bytes/${LENGTH}`);
  let bytes = 0;
  for await (const chunk of slow.body as ReadableStream<Uint8Array>) {
    // In total longer than the timeout.
    if (Math.floor(bytes / MB) < Math.floor((bytes + chunk.length) / MB)) await sleep(stallTimeoutMs / 15);
    bytes += chunk.length;
  }
  expect(bytes).toBe(LENGTH);
  await until(async () => (await cutResponses()) === 2);
});

test('rejects long responses above the limits of an owner and of the process until earlier ones have ended', async () => {
  const writeBuffer = new WriteBuffer({ total: 3 * LENGTH, perOwner: 2 * LENGTH });
  service = await startEchoService({
    writeBuffer,
    responseOwners: ({ headers }) => [headers['x-owner']],
  });
  const request = async (owner: string) => {
    const response = await fetch(`${service.url}/bytes/${LENGTH}`, { headers: { 'x-owner': owner } });
    return { response, length: (await response.arrayBuffer()).byteLength };
  };
  await sendUnread('a');
  await sendUnread('a');
  await until(() => !writeBuffer.hasRoom(['a'], 1));
  const { response } = await request('a');
  expect(response.status).toBe(429);
  expect(response.headers.get('retry-after')).toBe('1');
  expect(response.headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
  expect((await request('b')).length).toBe(LENGTH);

  await sendUnread('b');
  await until(() => !writeBuffer.hasRoom(['c'], 1));
  expect((await request('c')).response.status).toBe(429);
  expect((await fetch(`${service.url}/things`)).status).toBe(200);

  for (const socket of sockets) socket.destroy();
  await until(() => writeBuffer.hasRoom(['a', 'b'], 2 * LENGTH));
  expect((await request('a')).length).toBe(LENGTH);
});

test('counts a body once that several responses share', () => {
  const buffer = new WriteBuffer({ total: MB, perOwner: MB });
  const body = Buffer.alloc(MB);
  const responses = [1, 2].map(() => new ServerResponse(new IncomingMessage(new Socket())));
  for (const response of responses) expect(buffer.reserve(response, body, ['a'])).toBe(true);
  for (const response of responses) {
    expect(buffer.hasRoom(['a'], 1)).toBe(false);
    response.emit('close');
  }
  expect(buffer.hasRoom(['a'], MB)).toBe(true);
});

test('handles one request per connection at a time and closes a connection with too many waiting', async () => {
  service = await startEchoService();
  const get = 'GET /bytes/10 HTTP/1.1\r\nHost: a\r\n';
  const pipelining = await open();
  pipelining.write(`${`${get}\r\n`.repeat(4)}${get}Connection: close\r\n\r\n`);
  expect((await text(pipelining)).match(/x{10}/g)).toHaveLength(5);
  expect(service.mostRunning()).toBe(1);

  const flooding = await open();
  flooding.write(`${get}\r\n`.repeat(500));
  const responses = await text(flooding).catch(() => '');
  expect(responses.match(/x{10}/g) ?? []).not.toHaveLength(500);
});

import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Access, SECOND_MS } from '@gpu-observatory/domain-types';
import { TenantDatabase } from '../../src/api/access/tenant-database.ts';
import { type DatabaseProxy, startDatabaseProxy } from '../support/database-proxy.ts';
import { type FleetService, startFleetService } from '../support/fleet-service.ts';
import { addAlerts } from '../support/many-alerts.ts';
import { alertRecord, minutesAgo, uuid } from '../support/records.ts';
import { errorMessageOf } from '../support/responses.ts';

/** More than the operating system buffers for one connection. */
const ALERTS = 100_000;
const ACCESS: Access = [{ customer_id: 1, workspace_ids: 'all' }];
const OTHER: Access = [{ customer_id: 2, workspace_ids: 'all' }];
const NDJSON = 'application/x-ndjson';

let fleet: FleetService;
let proxy: DatabaseProxy;
const sockets: Socket[] = [];

beforeAll(async () => {
  fleet = await startFleetService({
    connectVia: async (url) => {
      proxy = await startDatabaseProxy(url);
      return proxy.url;
    },
  });
  await addAlerts(fleet, ALERTS);
  await fleet.import([alertRecord(1, { customer_id: 2 })]);
}, 300_000);

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await until(async () => (await metric('exports_running')) === 0);
});

afterAll(async () => {
  await fleet.stop();
  await proxy.stop();
});

const getExport = (access = ACCESS) => fleet.get('/api/v1/alerts', access, { accept: NDJSON });

/** Starts an export over its own connection and reads nothing of it. */
async function startUnread(token?: string): Promise<Socket> {
  const { port, hostname } = new URL(fleet.running.publicUrl);
  const socket = connect(Number(port), hostname).on('error', () => undefined);
  sockets.push(socket);
  await once(socket, 'connect');
  const authorization = `Authorization: Bearer ${token ?? (await fleet.account.token(ACCESS))}`;
  socket
    .pause()
    .write(`GET /api/v1/alerts HTTP/1.0\r\nHost: a\r\nAccept: ${NDJSON}\r\n${authorization}\r\n\r\n`);
  await until(async () => (await metric('exports_running')) === 1);
  return socket;
}

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await sleep(20);
}

async function metric(name: string): Promise<number> {
  const metrics = await (await fetch(`${fleet.running.managementUrl}/metrics`)).text();
  return Number(new RegExp(`^${name}\\S* (\\d+)$`, 'm').exec(metrics)?.[1]);
}

/** Counts the reads until there are no more for a second. */
async function readsUntilQuiet(reads: jest.SpyInstance): Promise<number> {
  for (let before = -1; before !== reads.mock.calls.length; await sleep(1_000))
    before = reads.mock.calls.length;
  return reads.mock.calls.length;
}

test('pages are read as the client reads, and show the alerts as of the first one', async () => {
  const reads = jest.spyOn(TenantDatabase.prototype, 'read');
  const socket = await startUnread();
  const readsOfUnread = await readsUntilQuiet(reads);
  await fleet.import([
    alertRecord(2, { created_at: minutesAgo(60) }),
    alertRecord(3, { created_at: minutesAgo(1) }),
  ]);
  let body = '';
  for await (const chunk of socket.resume()) body += String(chunk);
  const rows = body
    .slice(body.indexOf('\r\n\r\n') + 4)
    .split('\n')
    .slice(0, -1)
    .map((line) => (JSON.parse(line) as { id: string }).id);
  expect(new Set(rows).size).toBe(ALERTS + 1);
  expect(rows).toHaveLength(ALERTS + 1);
  expect(rows).not.toContain(uuid(2));
  const all = reads.mock.calls.length;
  jest.restoreAllMocks();
  expect(all).toBeGreaterThanOrEqual(ALERTS / 500);
  // The operating system buffers some megabytes of a local connection.
  expect(readsOfUnread).toBeLessThan(all / 2);
});

test('a customer has one export at a time', async () => {
  const rejected = await metric('exports_rejected_total');
  const socket = await startUnread();
  for (const access of [ACCESS, [...OTHER, ...ACCESS]]) {
    const response = await getExport(access);
    expect([response.headers.get('retry-after'), response.headers.get('content-type')]).toEqual([
      '5',
      'application/json; charset=utf-8',
    ]);
    expect(await errorMessageOf(response, 'listAlerts', 429, 'too_many_requests')).toMatch(/Another export/);
  }
  expect(await metric('exports_rejected_total')).toBe((rejected || 0) + 2);
  // Exports of other customers and JSON are not affected.
  expect((await (await getExport(OTHER)).text()).split('\n')).toHaveLength(2);
  expect((await (await fleet.get('/api/v1/alerts?page_size=1', ACCESS)).json()) as object).toHaveProperty(
    'alerts',
  );
  socket.destroy();
  await until(async () => (await metric('exports_running')) === 0);
  const next = await getExport();
  expect(next.status).toBe(200);
  await next.body?.cancel();
});

test('an error before the first byte ends the export', async () => {
  for (let n = 0; n < 2; n++)
    expect((await fleet.get('/api/v1/alerts?page_token=x', ACCESS, { accept: NDJSON })).status).toBe(400);
  proxy.cut();
  expect((await getExport()).status).toBe(502);
  proxy.restore();
  await until(async () => {
    const response = await getExport();
    await response.body?.cancel();
    return response.status === 200;
  });
});

test('a database that goes away breaks the connection', async () => {
  const response = await getExport();
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  expect((await reader.read()).done).toBe(false);
  proxy.cut();
  await expect(
    (async () => {
      while (!(await reader.read()).done);
    })(),
  ).rejects.toThrow(/terminated|aborted/);
  proxy.restore();
  await until(async () => (await fleet.get('/api/v1/alerts?page_size=1', ACCESS)).status === 200);
});

/** Returns the number of bytes of an export until its connection ends. */
async function restOf(socket: Socket): Promise<number> {
  let bytes = 0;
  for await (const chunk of socket.resume()) bytes += (chunk as Buffer).length;
  return bytes;
}

const isRejected = async (token: string) => {
  const response = await fetch(`${fleet.running.publicUrl}/api/v1/alerts:summary`, {
    headers: { authorization: `Bearer ${token}` },
  });
  return response.status === 401;
};

test('the end of the session breaks the connection', async () => {
  const token = await fleet.account.token(ACCESS, { sessionId: 'of-an-export' });
  const socket = await startUnread(token);
  fleet.account.revocations.push({
    kind: 'session',
    id: 'of-an-export',
    not_before: new Date().toISOString(),
  });
  await until(() => isRejected(token));
  expect(await restOf(socket)).toBeLessThan(ALERTS * 250);
  fleet.account.revocations.splice(0);
});

test('the expiry of the token breaks the connection', async () => {
  const token = await fleet.account.token(ACCESS, { expires: Math.ceil(Date.now() / SECOND_MS) + 2 });
  const socket = await startUnread(token);
  await until(() => isRejected(token));
  expect(await restOf(socket)).toBeLessThan(ALERTS * 250);
});

test('a client that reads nothing is cut', async () => {
  await startUnread();
  await until(async () => (await metric('exports_running')) === 0);
  expect(await metric('responses_cut_total')).toBeGreaterThan(0);
}, 60_000);

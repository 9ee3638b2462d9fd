import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Access } from '@gpu-observatory/domain-types';
import { type AccountStub, startAccountStub } from '../support/account-stub.ts';
import { createFleetDatabase, type FleetDatabase } from '../support/fleet-database.ts';
import { type FleetProcess, startFleetProcess } from '../support/fleet-process.ts';
import { rowsOf } from '../support/fleet-tables.ts';
import { importRecords } from '../support/import-records.ts';
import { alertRecord } from '../support/records.ts';

const CLIENTS = 300;
/** Time in which the connections stay open. */
const SECONDS = 60;
/** Long enough to compare memory over time: a shorter load contains the growth of a cold process. */
const LOAD_SECONDS = 150;
/** Time in which all clients open another connection. */
const REOPEN_MS = 5_000;
const ALERTS = 10_000;
const MAX_RESIDENT_MB = 400;
const MAX_IDLE_GROWTH = 1.5;
/** After thousands of connections, glibc keeps fragmented memory. */
const MAX_IDLE_GROWTH_AFTER_CONNECTIONS = 2;
const RETURNS_WITHIN_MS = 60_000;
/** A busy machine can exceed the time limit of a query, which is 502. */
const ACCEPTED_STATUSES = [200, 429, 502];
const HOSTILE: Access = [{ customer_id: 1, workspace_ids: 'all' }];
const OTHER: Access = [{ customer_id: 2, workspace_ids: 'all' }];

let database: FleetDatabase;
let account: AccountStub;
let fleet: FleetProcess;
let idleMb: number;
const sockets = new Set<Socket>();

beforeAll(async () => {
  database = await createFleetDatabase();
  account = await startAccountStub();
  await importRecords(database.importerUrl, [
    // A page exceeds what the operating system buffers for a connection.
    alertRecord(1, { description: 'x'.repeat(1_500) }),
    alertRecord(2, { customer_id: 2 }),
  ]);
  await rowsOf(
    database.administratorUrl,
    `INSERT INTO fleet.alerts (customer_id, id, created_at, severity, state, type, title, description, words, seq, state_seq, doc)
     SELECT customer_id, copy_id, created_at, severity, state, type, title, description, words, seq, state_seq,
       replace(doc, id::text, copy_id::text)
     FROM fleet.alerts, LATERAL (SELECT n, gen_random_uuid() AS copy_id FROM generate_series(1, $1) AS n) AS copies
     WHERE customer_id = 1`,
    [ALERTS],
  );
  fleet = await startFleetProcess(database, account);
  idleMb = await residentMb();
});

afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  fleet.child.kill('SIGKILL');
  await account.stop();
  await database.drop();
});

/** Requests a large page over its own connection and never reads. */
function openUnread(n: number, token: string): void {
  const socket = connect(fleet.port, '127.0.0.1')
    .pause()
    .on('error', () => undefined);
  sockets.add(socket);
  socket.on('close', () => sockets.delete(socket));
  const path = `/api/v1/alerts/?page_size=${ALERTS - n}`;
  socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}\r\n\r\n`);
}

const residentMb = async () => (await fleet.metric('process_resident_memory_bytes')) / 1024 ** 2;

/** Waits until memory is at most this many times that of the idle process; fails after a minute. */
async function expectMemoryToReturn(maxGrowth: number): Promise<void> {
  const startedAt = performance.now();
  const elapsedMs = () => performance.now() - startedAt;
  let megabytes = await residentMb();
  while (megabytes > maxGrowth * idleMb && elapsedMs() < RETURNS_WITHIN_MS) {
    await sleep(2_000);
    megabytes = await residentMb();
  }
  process.stdout.write(
    `${Math.round(megabytes)} MB after ${Math.round(elapsedMs() / 1_000)} s without load, ${Math.round(idleMb)} MB before\n`,
  );
  expect(megabytes).toBeLessThanOrEqual(maxGrowth * idleMb);
}

test(`memory stays flat and below ${MAX_RESIDENT_MB} MB during ${LOAD_SECONDS} s of mixed load and ends below ${MAX_IDLE_GROWTH} times that of the idle process`, async () => {
  const pathsOf = (n: number) => [
    `/api/v1/alerts/?page_size=${ALERTS - (n % 100)}`,
    `/api/v1/alerts/?page_size=${1 + (n % 1_000)}`,
    '/api/v1/alerts/?filter[description][contains]=nothing',
    '/api/v1/alerts:summary',
    '/api/v1/gpus',
    '/api/v1/metrics',
  ];
  const headers = { authorization: `Bearer ${await account.token(HOSTILE)}` };
  const get = async (path: string) => {
    const response = await fetch(`http://127.0.0.1:${fleet.port}${path}`, { headers });
    await response.arrayBuffer();
    return response.status;
  };
  // Fills the response cache, whose growth is no leak.
  for (let n = 0; n < 50; n++) await get(`/api/v1/alerts/?page_size=${1_000 - n}`);
  const endsAt = performance.now() + LOAD_SECONDS * 1_000;
  const statuses = new Map<number, number>();
  /** Indexes of the paths with a response of 200. */
  const served = new Set<number>();
  const isLoaded = () => performance.now() >= endsAt && served.size === pathsOf(0).length;
  const clients = Array.from({ length: 8 }, async (_unused, client) => {
    for (let n = client; !isLoaded(); n += 7) {
      const paths = pathsOf(n);
      const index = n % paths.length;
      const status = await get(paths[index]!);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (status === 200) served.add(index);
      else if (!ACCEPTED_STATUSES.includes(status)) break;
    }
  });
  const megabytes = [await residentMb()];
  const ended = Promise.all(clients).then(() => true);
  while (!(await Promise.race([ended, sleep(200, false)]))) megabytes.push(await residentMb());
  const quarter = Math.ceil(megabytes.length / 4);
  const [second, last] = [megabytes.slice(quarter, 2 * quarter), megabytes.slice(-quarter)].map(
    (part) => part.reduce((sum, value) => sum + value, 0) / part.length,
  ) as [number, number];
  process.stdout.write(
    `mixed load: ${JSON.stringify([...statuses])}, idle ${Math.round(idleMb)} MB, then ${Math.round(second)} and ${Math.round(last)} MB on average, ${Math.round(Math.max(...megabytes))} MB at most\n`,
  );
  expect([...statuses.keys()].filter((status) => !ACCEPTED_STATUSES.includes(status))).toEqual([]);
  expect(Math.max(...megabytes)).toBeLessThan(MAX_RESIDENT_MB);
  expect(last).toBeLessThan(1.1 * second);
  await expectMemoryToReturn(MAX_IDLE_GROWTH);
}, 1_200_000);

test(`${CLIENTS} clients that never read are cut, and neither exhaust memory nor fail requests of another customer`, async () => {
  const hostile = await account.token(HOSTILE);
  const other = { authorization: `Bearer ${await account.token(OTHER)}` };
  const startedAt = performance.now();
  const elapsedMs = () => performance.now() - startedAt;
  const isLimited = async () =>
    (await fleet.metric('reads_rejected_total')) > 0 && (await fleet.metric('responses_cut_total')) > 0;
  let [peakMb, requests, opened] = [0, 0, 0];
  // A connection that reads nothing for 15 s is cut.
  while (elapsedMs() < SECONDS * 1_000 || !(await isLimited())) {
    // Opens new connections at a constant rate, in place of those that were rejected or cut.
    while (opened <= (elapsedMs() / REOPEN_MS) * CLIENTS) openUnread(opened++ % CLIENTS, hostile);
    const response = await fetch(`http://127.0.0.1:${fleet.port}/api/v1/alerts/`, { headers: other });
    expect([response.status, ((await response.json()) as { total_size: number }).total_size]).toEqual([
      200, 1,
    ]);
    peakMb = Math.max(peakMb, await residentMb());
    requests += 1;
    await sleep(100);
  }
  const cut = await fleet.metric('responses_cut_total');
  process.stdout.write(
    `${opened} unread requests, ${requests} of another customer, ${cut} responses cut, ${Math.round(peakMb)} MB at most\n`,
  );
  expect(peakMb).toBeLessThan(MAX_RESIDENT_MB);
  for (const socket of sockets) socket.destroy();
  await expectMemoryToReturn(MAX_IDLE_GROWTH_AFTER_CONNECTIONS);
}, 300_000);

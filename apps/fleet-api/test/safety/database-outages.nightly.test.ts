import type { Access } from '@gpu-observatory/domain-types';
import { type DedicatedServer, startDedicatedServer, Stopwatch } from '@gpu-observatory/testing';
import { setTimeout as sleep } from 'node:timers/promises';
import { prepareFleetDatabase } from '../support/fleet-database.ts';
import { type FleetService, startFleetService } from '../support/fleet-service.ts';
import { importRecords } from '../support/import-records.ts';
import { alertRecord, gpuRecord, uuid } from '../support/records.ts';

const KILLS = 20;
const FREEZES = 10;
const RESPONSES = 20_000;
const CLIENTS = 12;
const RESPONSE_WITHIN_MS = 3_000;
/** What a busy machine adds, in the service and in the clients. */
const DELAY_MS = 1_500;
/** Longer than a response may take: a request that waits for the end of a freeze is too late. */
const FREEZE_MS = 6_000;
const RECOVERY_WITHIN_MS = 5_000;
const ACCESS: Access = [{ customer_id: 1, workspace_ids: 'all' }];
const ALERTS = 40;

let database: DedicatedServer;
let fleet: FleetService;
let stopwatch: Stopwatch;

beforeAll(async () => {
  stopwatch = new Stopwatch();
  database = await startDedicatedServer({ shared_buffers: '64MB' });
  const urls = await prepareFleetDatabase(database.adminUrl);
  await importRecords(urls.importerUrl, [
    ...Array.from({ length: ALERTS }, (_unused, n) => alertRecord(n)),
    ...Array.from({ length: ALERTS }, (_unused, n) => gpuRecord(`GPU-${n}`)),
  ]);
  fleet = await startFleetService({
    connectVia: async () => urls.apiUrl,
    // The load comes from one customer, which may use the whole pool.
    environment: { CUSTOMER_CONCURRENT_READS: '10', CUSTOMER_CONCURRENT_SLOW_READS: '5' },
  });
});

afterAll(async () => {
  stopwatch.stop();
  await fleet.stop();
  await database.remove();
});

interface Load {
  responses: number;
  served: number;
  slowestMs: number;
  /** Responses for another request, or without a valid error envelope. */
  wrong: string[];
  stop(): Promise<void>;
}

/** Starts clients that send one request after another and detect responses of other requests. */
function startLoad(): Load {
  const load: Load = { responses: 0, served: 0, slowestMs: 0, wrong: [], stop: async () => undefined };
  let running = true;
  const requests: ((n: number) => [path: string, isExpected: (body: string) => boolean])[] = [
    (n) => [`/api/v1/alerts/${uuid(n)}`, (body) => body.startsWith(`{"alert":{"id":"${uuid(n)}"`)],
    (n) => [`/api/v1/gpus/GPU-${n}`, (body) => body.startsWith(`{"gpu":{"gpu_id":"GPU-${n}"`)],
    (n) => [
      `/api/v1/alerts/?filter[title][equals]=Alert ${n}`,
      (body) => body.includes(`"id":"${uuid(n)}"`) && body.endsWith('"total_size":1}'),
    ],
    (n) => [`/api/v1/alerts/?page_size=${n + 1}`, (body) => body.split('"title"').length - 1 === n + 1],
  ];
  const client = async (first: number) => {
    for (let k = first; running; k++) {
      const [path, isExpected] = (requests[k % requests.length] as (typeof requests)[0])(k % ALERTS);
      const requestedAt = stopwatch.milliseconds;
      const response = await fleet.get(path, ACCESS);
      const body = await response.text();
      load.slowestMs = Math.max(load.slowestMs, stopwatch.milliseconds - requestedAt);
      load.responses += 1;
      if (response.status === 200) {
        load.served += 1;
        if (!isExpected(body)) load.wrong.push(`${path}: ${body.slice(0, 200)}`);
      } else if (!/^\{"error":"(upstream_error|too_many_requests)","message":"[^"]+"\}$/.test(body)) {
        load.wrong.push(`${path}: ${response.status} ${body.slice(0, 200)}`);
      } else await sleep(20);
    }
  };
  const clients = Array.from({ length: CLIENTS }, (_unused, n) => client(n * 7));
  load.stop = async () => {
    running = false;
    await Promise.all(clients);
  };
  return load;
}

async function expectRecovery(): Promise<void> {
  const recoveryStart = stopwatch.milliseconds;
  for (;;) {
    const response = await fleet.get('/api/v1/alerts/?page_size=1', ACCESS);
    await response.text();
    if (response.status === 200) break;
    await sleep(50);
  }
  expect(stopwatch.milliseconds - recoveryStart).toBeLessThan(RECOVERY_WITHIN_MS);
}

/** Checks the responses and prints their numbers. */
function expectValid(outage: string, load: Load): void {
  process.stdout.write(
    `${outage}: ${load.responses} responses, ${load.served} with 200, slowest ${Math.round(load.slowestMs)} ms, ${load.wrong.length} wrong\n`,
  );
  expect(load.wrong).toEqual([]);
  expect(load.slowestMs).toBeLessThan(RESPONSE_WITHIN_MS + DELAY_MS);
}

test(`survives ${KILLS} kills of the database server under load`, async () => {
  const load = startLoad();
  for (let kill = 0; kill < KILLS; kill++) {
    await sleep(500);
    await database.kill();
    await sleep(500);
    await database.start();
    await expectRecovery();
  }
  await load.stop();
  expect(load.served).toBeGreaterThan(0);
  expectValid('killed', load);
}, 600_000);

test(`survives ${FREEZES} freezes of the database server under load, over ${RESPONSES} responses`, async () => {
  const load = startLoad();
  for (let freeze = 0; freeze < FREEZES; freeze++) {
    await sleep(500);
    database.freeze();
    await sleep(FREEZE_MS);
    database.thaw();
    await expectRecovery();
  }
  while (load.responses < RESPONSES) await sleep(100);
  await load.stop();
  expectValid('frozen', load);
}, 900_000);

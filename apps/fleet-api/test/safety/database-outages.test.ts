import type { Access } from '@gpu-observatory/domain-types';
import { type DedicatedServer, startDedicatedServer, Stopwatch } from '@gpu-observatory/embedded-database';
import { setTimeout as sleep } from 'node:timers/promises';
import { prepareFleetDatabase } from '../support/fleet-database.ts';
import { type FleetService, startFleetService } from '../support/fleet-service.ts';
import { importRecords } from '../support/import-records.ts';
import { alertRecord, gpuRecord, uuid } from '../support/records.ts';

/** `npm run safety` kills 20 times, freezes 10 times and looks at 100,000 answers. */
const KILLS = Number(process.env['DATABASE_KILLS'] ?? 1);
const FREEZES = Number(process.env['DATABASE_FREEZES'] ?? 1);
const ANSWERS = Number(process.env['ANSWERS'] ?? 500);
const CLIENTS = 12;
const ANSWER_WITHIN_MS = 3_000;
const BACK_WITHIN_MS = 5_000;
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
    wayTo: async () => urls.apiUrl,
    // All of the load is one customer's: it may use the pool.
    environment: { CUSTOMER_CONCURRENT_READS: '10', CUSTOMER_CONCURRENT_SLOW_READS: '5' },
  });
});

afterAll(async () => {
  stopwatch.stop();
  await fleet.stop();
  await database.remove();
});

interface Load {
  answers: number;
  served: number;
  slowestMs: number;
  /** Answers that were not what was asked for, or in no shape of ours. */
  wrong: string[];
  stop(): Promise<void>;
}

/** Clients that ask for one thing after the other, and know it when they get another's. */
function startLoad(): Load {
  const load: Load = { answers: 0, served: 0, slowestMs: 0, wrong: [], stop: async () => undefined };
  let going = true;
  const requests: ((n: number) => [path: string, isIts: (body: string) => boolean])[] = [
    (n) => [`/api/v1/alerts/${uuid(n)}`, (body) => body.startsWith(`{"alert":{"id":"${uuid(n)}"`)],
    (n) => [`/api/v1/gpus/GPU-${n}`, (body) => body.startsWith(`{"gpu":{"gpu_id":"GPU-${n}"`)],
    (n) => [
      `/api/v1/alerts/?filter[title][equals]=Alert ${n}`,
      (body) => body.includes(`"id":"${uuid(n)}"`) && body.endsWith('"total_size":1}'),
    ],
    (n) => [`/api/v1/alerts/?page_size=${n + 1}`, (body) => body.split('"title"').length - 1 === n + 1],
  ];
  const client = async (first: number) => {
    for (let k = first; going; k++) {
      const [path, isIts] = (requests[k % requests.length] as (typeof requests)[0])(k % ALERTS);
      const askedAt = stopwatch.milliseconds;
      const answer = await fleet.get(path, ACCESS);
      const body = await answer.text();
      load.slowestMs = Math.max(load.slowestMs, stopwatch.milliseconds - askedAt);
      load.answers += 1;
      if (answer.status === 200) {
        load.served += 1;
        if (!isIts(body)) load.wrong.push(`${path}: ${body.slice(0, 200)}`);
      } else if (!/^\{"error":"(upstream_error|too_many_requests)","message":"[^"]+"\}$/.test(body)) {
        load.wrong.push(`${path}: ${answer.status} ${body.slice(0, 200)}`);
      } else await sleep(20);
    }
  };
  const clients = Array.from({ length: CLIENTS }, (_unused, n) => client(n * 7));
  load.stop = async () => {
    going = false;
    await Promise.all(clients);
  };
  return load;
}

async function expectBack(): Promise<void> {
  const backAt = stopwatch.milliseconds;
  for (;;) {
    const answer = await fleet.get('/api/v1/alerts/?page_size=1', ACCESS);
    await answer.text();
    if (answer.status === 200) break;
    await sleep(50);
  }
  expect(stopwatch.milliseconds - backAt).toBeLessThan(BACK_WITHIN_MS);
}

/** What became of the load, told for who measures. */
function expectHonest(what: string, load: Load): void {
  if (process.env['ANSWERS'] !== undefined) {
    process.stdout.write(
      `${what}: ${load.answers} answers, ${load.served} of them 200, the slowest ${Math.round(load.slowestMs)} ms, ${load.wrong.length} wrong\n`,
    );
  }
  expect(load.wrong).toEqual([]);
  expect(load.slowestMs).toBeLessThan(ANSWER_WITHIN_MS + 200); // the client's own share of the way
}

test(`the server killed under load, ${KILLS} times`, async () => {
  const load = startLoad();
  for (let kill = 0; kill < KILLS; kill++) {
    await sleep(500);
    await database.kill();
    await sleep(500);
    await database.start();
    await expectBack();
  }
  await load.stop();
  expect(load.served).toBeGreaterThan(0);
  expectHonest('killed', load);
}, 600_000);

test(`the server frozen under load, ${FREEZES} times, over ${ANSWERS} answers`, async () => {
  const load = startLoad();
  for (let freeze = 0; freeze < FREEZES; freeze++) {
    await sleep(500);
    database.freeze();
    await sleep(3_500);
    database.thaw();
    await expectBack();
  }
  while (load.answers < ANSWERS) await sleep(100);
  await load.stop();
  expectHonest('frozen', load);
}, 900_000);

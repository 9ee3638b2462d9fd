import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { type AccountStub, startAccountStub } from '../support/account-stub.ts';
import { EVERYTHING_OF_CUSTOMER_1 } from '../support/alert-pagination.ts';
import { type FleetDatabase, createFleetDatabase } from '../support/fleet-database.ts';
import { type FleetProcess, startFleetProcess } from '../support/fleet-process.ts';
import { importRecords } from '../support/import-records.ts';
import { addAlerts } from '../support/many-alerts.ts';

const ALERTS = 300_000;
const MB = 1024 * 1024;
/** The accepted memory of fleet-api under load, see docs/decisions/memory.md. */
const MAX_RESIDENT_MB = 400;
/** Of the memory in use after a collection of garbage, from the fast client to the slow one. */
const MAX_GROWTH_MB = 32;
const SLOW_MS_PER_MB = 500;
const LINE_FEED = 0x0a;

let database: FleetDatabase;
let account: AccountStub;
let service: FleetProcess;

beforeAll(async () => {
  database = await createFleetDatabase();
  account = await startAccountStub();
  await addAlerts({ database, import: (records) => importRecords(database.importerUrl, records) }, ALERTS);
  service = await startFleetProcess(database, account);
}, 600_000);

afterAll(async () => {
  service.child.kill();
  await service.exited;
  await account.stop();
  await database.drop();
});

async function startExport(accept: string): Promise<IncomingMessage> {
  const authorization = `Bearer ${await account.token(EVERYTHING_OF_CUSTOMER_1)}`;
  const outgoing = request({
    port: service.port,
    path: '/api/v1/alerts',
    headers: { accept, authorization, 'accept-encoding': 'identity' },
  }).end();
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
  return response;
}

/**
 * Reads an export, and the memory of the service after each MB. V8 collects the garbage of pages now and then, so the memory in use rises
 * and falls; the lowest value is what the service needs.
 */
async function memoryOf(accept: string, msPerMb = 0) {
  const residentMb: number[] = [];
  const usedMb: number[] = [];
  let [lines, bytes] = [0, 0];
  for await (const chunk of await startExport(accept)) {
    lines += (chunk as Buffer).filter((byte) => byte === LINE_FEED).length;
    const isNextMb = Math.floor(bytes / MB) < Math.floor((bytes + (chunk as Buffer).length) / MB);
    bytes += (chunk as Buffer).length;
    if (!isNextMb) continue;
    residentMb.push((await service.metric('process_resident_memory_bytes')) / MB);
    usedMb.push(
      ((await service.metric('nodejs_heap_size_used_bytes')) +
        (await service.metric('nodejs_external_memory_bytes'))) /
        MB,
    );
    await sleep(msPerMb);
  }
  return { lines, maxResidentMb: Math.max(...residentMb), usedMb: Math.min(...usedMb) };
}

test('the memory of the service does not grow with the length of an export, nor with a slow client', async () => {
  await memoryOf('application/x-ndjson');
  const fast = await memoryOf('text/csv');
  const slow = await memoryOf('text/csv', SLOW_MS_PER_MB);
  // With the header and the imported alert.
  expect([fast.lines, slow.lines]).toEqual([ALERTS + 2, ALERTS + 2]);
  expect(slow.usedMb - fast.usedMb).toBeLessThan(MAX_GROWTH_MB);
  expect(Math.max(fast.maxResidentMb, slow.maxResidentMb)).toBeLessThan(MAX_RESIDENT_MB);
}, 600_000);

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
/** From the first half of the export to the second. */
const MAX_GROWTH_MB = 32;
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

test('the memory of the service does not grow with the length of an export, nor with a slow client', async () => {
  // After the first export, the memory of the process is that of a process under load.
  for await (const chunk of await startExport('application/x-ndjson')) void chunk;
  const samples: number[] = [];
  let lines = 0;
  let readBytes = 0;
  for await (const chunk of await startExport('text/csv')) {
    lines += (chunk as Buffer).filter((byte) => byte === LINE_FEED).length;
    if (Math.floor(readBytes / MB) < Math.floor((readBytes + (chunk as Buffer).length) / MB)) {
      await sleep(20);
      samples.push(await service.metric('process_resident_memory_bytes'));
    }
    readBytes += (chunk as Buffer).length;
  }
  const half = Math.floor(samples.length / 2);
  const growthMb = Math.round((Math.max(...samples.slice(half)) - Math.max(...samples.slice(0, half))) / MB);
  // With the header and the imported alert.
  expect(lines).toBe(ALERTS + 2);
  expect(growthMb).toBeLessThan(MAX_GROWTH_MB);
}, 600_000);

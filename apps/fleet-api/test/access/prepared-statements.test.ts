import { readFile, stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { query } from '@gpu-observatory/embedded-database';
import { EVERYTHING_OF_CUSTOMER_1 } from '../support/alert-pagination.ts';
import { useFleetService } from '../support/fleet-service.ts';
import { useGenericPlans } from '../support/generic-plans.ts';
import { alertRecord, gpuRecord, minutesAgo, uuid } from '../support/records.ts';

/** Number of different requests. */
const REQUESTS = process.env['NIGHTLY_SEED'] ? 2_000 : 200;
const MAX_GROWTH_BYTES = 20_000_000;

const fleet = useFleetService({
  environment: { DATABASE_POOL_SIZE: '4' },
  prepareDatabase: useGenericPlans,
});

const FREQUENT = [
  '/api/v1/alerts/?page_size=50',
  '/api/v1/alerts/?page_size=500',
  `/api/v1/alerts/${uuid(1)}`,
  `/api/v1/alerts/${uuid(1)}/timeline`,
  '/api/v1/alerts:summary',
  '/api/v1/metrics',
  '/api/v1/gpus',
  '/api/v1/gpus/GPU-1',
];

/** Returns requests of which each has another statement. */
function differentRequests(): string[] {
  const sorts = ['timestamp', 'severity', 'state', 'type', 'hostname'].flatMap((field) => [
    `sort=${field}`,
    `sort=-${field}`,
  ]);
  const severities = ['', 'critical', 'critical,high', 'critical,high,low'];
  const states = ['', 'active', 'active,ignored'];
  const windows = ['', `&from=${minutesAgo(5_000)}`, `&from=${minutesAgo(100)}&to=${minutesAgo(50)}`];
  const scopes = ['', '&workspace_id=10', '&api_key_id=7'];
  const types = ['', 'gpu_thermal', 'gpu_thermal,gpu_ecc'];
  const filter = (field: string, members: string) =>
    members === '' ? '' : `&filter[${field}][in]=${members}`;
  return types.flatMap((type) =>
    windows.flatMap((window) =>
      scopes.flatMap((scope) =>
        states.flatMap((state) =>
          severities.flatMap((severity) =>
            sorts.map((sort) => {
              const filters = `${filter('severity', severity)}${filter('type', type)}${filter('state', state)}`;
              return `/api/v1/alerts/?page_size=1&${sort}${filters}${window}${scope}`;
            }),
          ),
        ),
      ),
    ),
  );
}

/** Returns the memory of all server processes that serve fleet-api, from the log of the server. */
async function memoryOfServer(): Promise<number> {
  const { administratorUrl } = fleet.database;
  const log = process.env['TEST_DATABASE_LOG'] as string;
  const { size } = await stat(log);
  const backends = await query<{ pid: number }>(
    administratorUrl,
    `SELECT pid FROM pg_stat_activity
     WHERE usename = 'fleet_api' AND datname = current_database() AND pg_log_backend_memory_contexts(pid)`,
  );
  let bytes = 0;
  for (const { pid } of backends) {
    const total = new RegExp(`\\[${pid}\\].*Grand total: (\\d+) bytes`);
    let logged: RegExpExecArray | null = null;
    while (logged === null) {
      await sleep(20);
      logged = total.exec((await readFile(log)).subarray(size).toString('utf8'));
    }
    bytes += Number(logged[1]);
  }
  return bytes;
}

it('leaves the database with little more memory after many different requests', async () => {
  await fleet.import([
    ...Array.from({ length: 60 }, (_unused, n) => alertRecord(n, { hostname: `host-${n % 7}` })),
    gpuRecord('GPU-1'),
  ]);
  const get = async (path: string): Promise<void> => {
    const response = await fleet.get(path, EVERYTHING_OF_CUSTOMER_1);
    await response.arrayBuffer();
    // On a busy machine, a statement may time out.
    if (response.status === 502) return get(path);
    expect([path, response.status]).toEqual([path, 200]);
  };
  for (let n = 0; n < 3; n++) await Promise.all(FREQUENT.map(get));
  const before = await memoryOfServer();
  const requests = differentRequests();
  let next = 0;
  const caller = async () => {
    while (next < REQUESTS) await get(requests[next++ % requests.length] as string);
  };
  await Promise.all([caller(), caller()]);
  expect((await memoryOfServer()) - before).toBeLessThan(MAX_GROWTH_BYTES);
});

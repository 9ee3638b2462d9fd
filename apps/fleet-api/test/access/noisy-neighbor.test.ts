import type { Access } from '@gpu-observatory/domain-types';
import { refusalOf } from '../support/responses.ts';
import { type FleetService, startFleetService } from '../support/fleet-service.ts';
import { rowsOf } from '../support/fleet-tables.ts';
import { alertRecord, gpuRecord } from '../support/records.ts';

/** One tenant floods with text filters over many alerts, another goes on as before; how fast, the benchmark measures. */
const ALERTS = 20_000;
const READS = 30;
const FLOODERS = 24;
const NOISY: Access = [{ customer_id: 1, workspace_ids: 'all' }];
const QUIET: Access = [{ customer_id: 2, workspace_ids: 'all' }];
const PATHS = ['/api/v1/alerts/?page_size=50', '/api/v1/alerts:summary', '/api/v1/gpus?view=basic'];

let fleet: FleetService;

beforeAll(async () => {
  fleet = await startFleetService();
  await fleet.import([
    alertRecord(1),
    ...Array.from({ length: 200 }, (_unused, n) => alertRecord(n, { customer_id: 2 })),
    ...Array.from({ length: 50 }, (_unused, n) => gpuRecord(`GPU-${n}`, { customer_id: 2 })),
  ]);
  await rowsOf(
    fleet.database.administratorUrl,
    `INSERT INTO fleet.alerts (customer_id, id, created_at, severity, state, type, title, description, seq, state_seq, doc)
     SELECT 1, gen_random_uuid(), now() - interval '1 minute', 1, 0, 'gpu_thermal', 'Alert ' || n, repeat('A thing was seen. ', 10), 1, 1, '{}'
     FROM generate_series(1, $1) AS n`,
    [ALERTS],
  );
  await rowsOf(fleet.database.administratorUrl, 'VACUUM ANALYZE fleet.alerts');
}, 600_000);

afterAll(() => fleet.stop());

/** A figure of the service, as it tells them. */
async function measured(name: string): Promise<number> {
  const metrics = await (await fetch(`${fleet.running.managementUrl}/metrics`)).text();
  return Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(metrics)?.[1] ?? 0);
}

test('who floods with scans waits, one scan at a time; the neighbour is served as before', async () => {
  let flooding = true;
  const statuses = new Map<number, number>();
  const flooders = Array.from({ length: FLOODERS }, async (_unused, n) => {
    for (let k = 0; flooding; k++) {
      const answer = await fleet.get(
        `/api/v1/alerts/?filter[description][contains]=nothing-${n}-${k}`,
        NOISY,
      );
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
      if (answer.status === 429) {
        expect(answer.headers.get('retry-after')).toBe('1');
        expect(await refusalOf(answer, 'listAlerts', 429, 'too_many_requests')).toMatch(
          /concurrent requests with text filters/,
        );
      } else await answer.text();
    }
  });
  const running: number[] = [];
  const waiting: number[] = [];
  for (let n = 0; n < READS; n++) {
    const answer = await fleet.get(PATHS[n % PATHS.length] as string, QUIET);
    await answer.text();
    expect(answer.status).toBe(200);
    running.push(await measured('slow_reads_running\\{.*\\}'));
    waiting.push(await measured('reads_queued\\{.*\\}'));
  }
  const own = await fleet.get('/api/v1/alerts:summary', NOISY);
  flooding = false;
  await Promise.all(flooders);

  expect(own.status).toBe(200); // its own quick reads go on too
  expect([...statuses.keys()].filter((status) => status !== 200 && status !== 429)).toEqual([]);
  expect(Math.max(...running)).toBe(1);
  expect(Math.max(...waiting)).toBeGreaterThan(FLOODERS / 2);
  expect(await measured('reads_rejected_total\\{cost_class="slow".*\\}')).toBe(statuses.get(429) ?? 0);
}, 300_000);

import type { Access } from '@gpu-observatory/domain-types';
import { errorMessageOf } from '../support/responses.ts';
import { useFleetService } from '../support/fleet-service.ts';
import { rowsOf } from '../support/fleet-tables.ts';
import { alertRecord, gpuRecord } from '../support/records.ts';

/** One tenant floods the service over many alerts. The benchmark measures the other one's latency. */
const ALERTS = 20_000;
const READS = 30;
const FLOODERS = 24;
const NOISY: Access = [{ customer_id: 1, workspace_ids: 'all' }];
const QUIET: Access = [{ customer_id: 2, workspace_ids: 'all' }];
const PATHS = ['/api/v1/alerts/?page_size=50', '/api/v1/alerts:summary', '/api/v1/gpus?view=basic'];

const fleet = useFleetService();

beforeAll(async () => {
  await fleet.import([
    alertRecord(1),
    ...Array.from({ length: 200 }, (_unused, n) => alertRecord(n, { customer_id: 2 })),
    ...Array.from({ length: 50 }, (_unused, n) => gpuRecord(`GPU-${n}`, { customer_id: 2 })),
  ]);
  await rowsOf(
    fleet.database.administratorUrl,
    `INSERT INTO fleet.alerts (customer_id, id, created_at, severity, state, type, title, description, words, seq, state_seq, doc)
     SELECT 1, id, at, 1, 0, 'gpu_thermal', 'Alert ' || n, repeat('A thing was seen. ', 10), '{}', 1, 1,
       '{"id":"' || id || '","created_at":"' || to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '"}'
     FROM (SELECT n, gen_random_uuid() AS id, (now() - interval '1 minute')::timestamptz(3) AS at
           FROM generate_series(1, $1) AS n) AS numbered`,
    [ALERTS],
  );
  await rowsOf(fleet.database.administratorUrl, 'VACUUM ANALYZE fleet.alerts');
}, 600_000);

/** Reads a value from the service's metrics. */
async function measured(name: string): Promise<number> {
  const metrics = await (await fetch(`${fleet.running.managementUrl}/metrics`)).text();
  return Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(metrics)?.[1] ?? 0);
}

test('limits a flood of text scans to one at a time and still serves the other tenant', async () => {
  let flooding = true;
  const statuses = new Map<number, number>();
  const flooders = Array.from({ length: FLOODERS }, async (_unused, n) => {
    for (let k = 0; flooding; k++) {
      // Words this short are not indexed.
      const response = await fleet.get(
        `/api/v1/alerts/?filter[description][contains]=no-${n}-${k % 100}`,
        NOISY,
      );
      statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
      if (response.status === 429) {
        expect(response.headers.get('retry-after')).toBe('1');
        expect(await errorMessageOf(response, 'listAlerts', 429, 'too_many_requests')).toMatch(
          /concurrent requests with text filters or long windows/,
        );
      } else await response.text();
    }
  });
  const running: number[] = [];
  const waiting: number[] = [];
  for (let n = 0; n < READS; n++) {
    const response = await fleet.get(PATHS[n % PATHS.length] as string, QUIET);
    await response.text();
    expect(response.status).toBe(200);
    running.push(await measured('slow_reads_running\\{.*\\}'));
    waiting.push(await measured('reads_queued\\{.*\\}'));
  }
  const own = await fleet.get('/api/v1/alerts:summary', NOISY);
  flooding = false;
  await Promise.all(flooders);

  expect(own.status).toBe(200); // The limit does not affect the tenant's fast reads.
  expect([...statuses.keys()].filter((status) => status !== 200 && status !== 429)).toEqual([]);
  expect(Math.max(...running)).toBe(1);
  expect(Math.max(...waiting)).toBeGreaterThan(FLOODERS / 2);
  expect(await measured('reads_rejected_total\\{cost_class="slow".*\\}')).toBe(statuses.get(429) ?? 0);
}, 300_000);

test('serves small reads during large pages of another tenant, and never sends a part of one', async () => {
  let flooding = true;
  const statuses = new Map<number, number>();
  const readers = Array.from({ length: 6 }, async (_unused, n) => {
    while (flooding) {
      const response = await fleet.get(`/api/v1/alerts/?page_size=${9_000 + n}`, NOISY);
      const body = await response.text();
      statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
      if (response.status === 200) expect(new Set(body.match(/"id":"[^"]+"/g)).size).toBe(9_000 + n);
    }
  });
  const readSmallUntil = async (isDone: () => Promise<boolean>, accepted: number[]) => {
    for (let n = 0; !(await isDone()); n++) {
      const response = await fleet.get(PATHS[n % PATHS.length] as string, QUIET);
      await response.text();
      expect(accepted).toContain(response.status);
    }
  };
  const largePages = () => statuses.get(200) ?? 0;
  await readSmallUntil(() => Promise.resolve(largePages() >= 20), [200]);
  // Closes connections until a large page was interrupted.
  await readSmallUntil(async () => {
    await rowsOf(
      fleet.database.administratorUrl,
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'fleet-api'`,
    );
    return statuses.has(502);
  }, [200, 502]);
  const pagesBefore = largePages();
  await readSmallUntil(() => Promise.resolve(largePages() > pagesBefore), [200, 502]);
  flooding = false;
  await Promise.all(readers);
  expect([...statuses.keys()].filter((status) => ![200, 429, 502].includes(status))).toEqual([]);
}, 300_000);

import type { Access } from '@gpu-observatory/domain-types';
import { Stopwatch } from '@gpu-observatory/testing';
import { errorMessageOf } from './support/responses.ts';
import { type DatabaseProxy, startDatabaseProxy } from './support/database-proxy.ts';
import { type FleetService, startFleetService } from './support/fleet-service.ts';
import { alertRecord, gpuRecord, uuid } from './support/records.ts';

const ACCESS: Access = [{ customer_id: 1, workspace_ids: 'all' }];
const ROUTES: [path: string, operationId: string][] = [
  ['/api/v1/alerts/', 'listAlerts'],
  ['/api/v1/alerts:search?q=alert', 'searchAlerts'],
  ['/api/v1/alerts:groups?group_by=type', 'groupAlerts'],
  ['/api/v1/fleet-usage', 'getFleetUsage'],
  [`/api/v1/alerts/${uuid(1)}`, 'getAlert'],
  [`/api/v1/alerts/${uuid(1)}/timeline`, 'listTimelineEvents'],
  ['/api/v1/gpus', 'listGpus'],
  ['/api/v1/gpus/GPU-1', 'getGpu'],
  ['/api/v1/gpu-status', 'listGpuStatus'],
  ['/api/v1/gpu-history/GPU-1', 'getGpuHistory'],
  ['/api/v1/hosts', 'listHosts'],
  ['/api/v1/hosts/host-1', 'getHost'],
  ['/api/v1/metrics', 'getMetrics'],
];
const UNAVAILABLE = 'A backing service is unavailable; retry later.';

let fleet: FleetService;
let proxy: DatabaseProxy;
let stopwatch: Stopwatch;

beforeAll(async () => {
  stopwatch = new Stopwatch();
  fleet = await startFleetService({
    connectVia: async (url) => {
      proxy = await startDatabaseProxy(url);
      return proxy.url;
    },
  });
  await fleet.import([alertRecord(1), gpuRecord('GPU-1')]);
});

afterAll(async () => {
  stopwatch.stop();
  await fleet.stop();
  await proxy.stop();
});

async function expectAllUnavailable(): Promise<void> {
  await Promise.all(
    ROUTES.map(async ([path, operationId]) => {
      const requestedAt = stopwatch.milliseconds;
      const response = await fleet.get(path, ACCESS);
      expect(stopwatch.milliseconds - requestedAt).toBeLessThan(3_000);
      expect(await errorMessageOf(response, operationId, 502, 'upstream_error')).toBe(UNAVAILABLE);
      expect(response.headers.get('retry-after')).toBe('1');
    }),
  );
}

async function expectAllServed(): Promise<void> {
  const responses = await Promise.all(ROUTES.map(([path]) => fleet.get(path, ACCESS)));
  expect(responses.map(({ status }) => status)).toEqual(ROUTES.map(() => 200));
}

const readiness = async () => (await fetch(`${fleet.running.managementUrl}/readyz`)).status;

async function within(milliseconds: number, attempt: () => Promise<void>): Promise<void> {
  for (const until = stopwatch.milliseconds + milliseconds; ;) {
    const isLast = stopwatch.milliseconds > until;
    try {
      return await attempt();
    } catch (failure) {
      if (isLast) throw failure;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}

it('returns 502 within 3 s while the database hangs, is not ready, and recovers within 5 s', async () => {
  await within(5_000, expectAllServed);
  expect(await readiness()).toBe(200);

  proxy.freeze();
  await expectAllUnavailable();
  await within(3_000, async () => expect(await readiness()).toBe(503));
  await expectAllUnavailable();
  // Requests without database access are unaffected.
  expect((await fleet.get('/api/v1/alerts/?page_size=0', ACCESS)).status).toBe(400);
  expect((await fleet.get('/api/v1/alerts/', null)).status).toBe(401);

  proxy.restore();
  await within(5_000, expectAllServed);
  await within(1_000, async () => expect(await readiness()).toBe(200));
});

import type { Access, AlertDetail, GpuDetail, GpuRow } from '@gpu-observatory/domain-types';
import fc from 'fast-check';
import { type AlertPage, paginate } from '../support/alert-pagination.ts';
import { bodyOf } from '../support/responses.ts';
import { type FleetService, startFleetService } from '../support/fleet-service.ts';
import { alertRecord, gpuRecord, minutesAgo, uuid } from '../support/records.ts';

/** The owner of a row, the input of the oracle. */
interface Owned {
  id: string;
  customerId: number;
  workspaceId: number | null;
}

const CUSTOMERS = [1, 2, 3];
const WORKSPACES = [1, 2, 3];
const OWNERS = CUSTOMERS.flatMap((customerId) =>
  [...WORKSPACES, null].map((workspaceId) => ({ customerId, workspaceId })),
);
/** Two alerts per owner, and one GPU per owner with a workspace. Customers share workspace ids. */
const ALERTS: Owned[] = [...OWNERS, ...OWNERS].map((owner, n) => ({ ...owner, id: uuid(n + 1) }));
const GPUS: Owned[] = OWNERS.filter(({ workspaceId }) => workspaceId !== null).map((owner, n) => ({
  ...owner,
  id: n % 2 === 0 ? `GPU-${uuid(n)}` : `host-${n}|0000:3b:00.0|guest`,
}));

let fleet: FleetService;

beforeAll(async () => {
  fleet = await startFleetService();
  await fleet.import([
    ...ALERTS.map(({ id, customerId, workspaceId }, n) =>
      alertRecord(n + 1, {
        id,
        customer_id: customerId,
        workspace_id: workspaceId,
        created_at: minutesAgo(n + 1),
      }),
    ),
    ...ALERTS.map(({ id, customerId }) => ({
      kind: 'timeline_event',
      customer_id: customerId,
      alert_id: id,
      ts: minutesAgo(1),
      pid: 1,
      tid: 1,
      event_type: 'seen',
      event_info: id,
    })),
    ...GPUS.map(({ id, customerId, workspaceId }) =>
      gpuRecord(id, { customer_id: customerId, workspace_id: workspaceId }),
    ),
    // Every customer has an alert on every GPU id, including those of others.
    ...GPUS.flatMap(({ id }, n) =>
      OWNERS.map(({ customerId, workspaceId }, k) =>
        alertRecord(1_000 + n * 100 + k, {
          customer_id: customerId + 10,
          workspace_id: workspaceId,
          gpu_id: id,
        }),
      ),
    ),
  ]);
});

afterAll(() => fleet.stop());

/** The access rule in its simplest form, see docs/fleet-api.md#access. */
function maySee(access: Access, { customerId, workspaceId }: Owned): boolean {
  return access.some(
    (entry) =>
      entry.customer_id === customerId &&
      (workspaceId === null || entry.workspace_ids === 'all' || entry.workspace_ids.includes(workspaceId)),
  );
}

const accessArbitrary: fc.Arbitrary<Access> = fc.array(
  fc.record({
    customer_id: fc.constantFrom(...CUSTOMERS, 4),
    workspace_ids: fc.oneof(fc.constant('all' as const), fc.subarray([...WORKSPACES, 4], { minLength: 0 })),
  }),
  { maxLength: 4 },
);
const scopeArbitrary = fc.record(
  {
    customer_id: fc.constantFrom(...CUSTOMERS, 4, 2 ** 31),
    workspace_id: fc.constantFrom(...WORKSPACES, 4, 2 ** 31, '99999999999999999999'),
  },
  { requiredKeys: [] },
);
const RUNS = { numRuns: 60 };

test('alert lists contain exactly the alerts in the caller’s access', async () => {
  await fc.assert(
    fc.asyncProperty(accessArbitrary, fc.integer({ min: 1, max: 30 }), async (access, size) => {
      const pages: AlertPage[] = await paginate(fleet, [size], { access });
      const expected = ALERTS.filter((alert) => maySee(access, alert)).map(({ id }) => id);
      expect(pages.flatMap((page) => page.alerts.map(({ id }) => id))).toEqual(expected);
      expect(pages[0]?.total_size).toBe(expected.length);
    }),
    RUNS,
  );
});

test('GPU lists contain exactly the GPUs in the caller’s access and the scope filters', async () => {
  await fc.assert(
    fc.asyncProperty(accessArbitrary, scopeArbitrary, async (access, scope) => {
      const query = new URLSearchParams(scope as Record<string, string>);
      const { gpus } = await bodyOf<{ gpus: GpuRow[] }>(
        await fleet.get(`/api/v1/gpus?view=basic&${query.toString()}`, access),
        'listGpus',
      );
      const expected = GPUS.filter(
        (gpu) =>
          maySee(access, gpu) &&
          [undefined, gpu.customerId].includes(scope.customer_id) &&
          [undefined, gpu.workspaceId].includes(scope.workspace_id as number | undefined),
      );
      expect(gpus.map(({ gpu_id }) => gpu_id).sort()).toEqual(expected.map(({ id }) => id).sort());
    }),
    RUNS,
  );
});

test('returns single resources within the access, and the same 404 for foreign and absent ones', async () => {
  const absent = { customerId: 0, workspaceId: 0 };
  const anyOf = (owned: Owned[], id: string) => fc.constantFrom(...owned, { ...absent, id });
  await fc.assert(
    fc.asyncProperty(
      accessArbitrary,
      anyOf(ALERTS, uuid(999)),
      anyOf(GPUS, 'host-x|0000:00:00.0|guest'),
      async (access, alert, gpu) => {
        const responses = await Promise.all([
          fleet.get(`/api/v1/alerts/${alert.id}`, access),
          fleet.get(`/api/v1/alerts/${alert.id}/timeline`, access),
          fleet.get(`/api/v1/gpus/${encodeURIComponent(gpu.id)}`, access),
        ]);
        const [detail, timeline, gpuDetail] = responses as [Response, Response, Response];
        if (maySee(access, alert)) {
          const body = await bodyOf<{ alert: AlertDetail }>(detail, 'getAlert');
          expect([body.alert.id, body.alert.customer_id]).toEqual([alert.id, alert.customerId]);
          expect(await timeline.text()).toContain(`"event_info":"${alert.id}"`);
        } else {
          const notFound = { error: 'not_found', message: `There is no alert ${alert.id}.` };
          expect(await bodyOf(detail, 'getAlert', 404)).toEqual(notFound);
          expect(await bodyOf(timeline, 'listTimelineEvents', 404)).toEqual(notFound);
        }
        if (maySee(access, gpu)) {
          const body = await bodyOf<{ gpu: GpuDetail }>(gpuDetail, 'getGpu');
          expect(body.gpu.gpu_id).toBe(gpu.id);
          expect(body.gpu.security.total_alerts_24h).toBe(0);
        } else {
          expect(await bodyOf(gpuDetail, 'getGpu', 404)).toEqual({
            error: 'not_found',
            message: `There is no GPU ${gpu.id}; ids have the form GPU-… or host|pci|guest, as returned by the list.`,
          });
        }
      },
    ),
    RUNS,
  );
});

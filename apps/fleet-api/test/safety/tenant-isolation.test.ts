import type { Access } from '@gpu-observatory/domain-types';
import { reportTorture } from '@gpu-observatory/embedded-database';
import { bodyOf } from '../support/responses.ts';
import { useFleetService } from '../support/fleet-service.ts';
import { alertRecord, gpuRecord, minutesAgo, sampleRecord, uuid } from '../support/records.ts';

/** `npm run safety` sends 5,000 requests and imports 10,000 foreign alerts. */
const REQUESTS = Number(process.env['TENANT_REQUESTS'] ?? 1_000);
const FOREIGN_ALERTS = Number(process.env['FOREIGN_ALERTS'] ?? 500);
const SEED = Number(process.env['TENANT_SEED'] ?? Date.now() % 1_000_000);

const CUSTOMERS = [1, 2, 3];
const WORKSPACES = [1, 2, 3, null];
interface Owned {
  id: string;
  customerId: number;
  workspaceId: number | null;
  apiKeyId: number | null;
}
type Owner = Pick<Owned, 'customerId' | 'workspaceId'>;
/** Each row contains its owner in its texts, so that foreign rows in a response are detected. */
const markOf = ({ customerId, workspaceId }: Owner) => `owned-by-${customerId}-${workspaceId ?? 'all'}-`;
const OWNERS = CUSTOMERS.flatMap((customerId) =>
  WORKSPACES.map((workspaceId) => ({ customerId, workspaceId })),
);
const ALERTS: Owned[] = Array.from({ length: 5 }, (_unused, round) =>
  OWNERS.map((owner, n) => ({ ...owner, id: uuid(round * 100 + n), apiKeyId: n % 2 === 0 ? 5 : null })),
).flat();
const GPUS: Owned[] = OWNERS.filter(({ workspaceId }) => workspaceId !== null).map((owner, n) => ({
  ...owner,
  apiKeyId: null,
  id: n % 2 === 0 ? `GPU-${markOf(owner)}${n}` : `${markOf(owner)}host|0000:3b:00.0|${n}`,
}));

const fleet = useFleetService();

beforeAll(async () => {
  const given = (owned: Owner) => ({ customer_id: owned.customerId, workspace_id: owned.workspaceId });
  await fleet.import([
    ...OWNERS.filter(({ workspaceId }) => workspaceId !== null).map((owner) => ({
      kind: 'workspace',
      ...given(owner),
      name: markOf(owner),
    })),
    ...GPUS.flatMap((gpu) => [
      gpuRecord(gpu.id, { ...given(gpu), hostname: markOf(gpu), serial_no: markOf(gpu) }),
      sampleRecord(gpu.id, minutesAgo(2), {
        customer_id: gpu.customerId,
        utilization_pct: 50,
        xid_last_code: 0,
      }),
    ]),
    ...ALERTS.map((alert, n) =>
      alertRecord(n, {
        ...given(alert),
        id: alert.id,
        title: `${markOf(alert)} title`,
        description: `${markOf(alert)} description`,
        hostname: n % 3 === 0 ? null : markOf(alert),
        severity: ['critical', 'high', 'low'][n % 3],
        api_key_id: alert.apiKeyId,
        created_at: minutesAgo(n + 1),
        // Alerts refer to GPUs of all customers.
        gpu_id: GPUS[n % GPUS.length]?.id,
      }),
    ),
    ...ALERTS.map((alert) => ({
      kind: 'timeline_event',
      customer_id: alert.customerId,
      alert_id: alert.id,
      ts: minutesAgo(1),
      pid: 1,
      tid: 1,
      event_type: 'seen',
      event_info: markOf(alert),
    })),
  ]);
});

/** The access rule in its simplest form, see docs/fleet-api.md#access. */
function maySee(access: Access, { customerId, workspaceId }: Owner): boolean {
  return access.some(
    (entry) =>
      entry.customer_id === customerId &&
      (workspaceId === null || entry.workspace_ids === 'all' || entry.workspace_ids.includes(workspaceId)),
  );
}

/** Returns the rows in the access and in the scope parameters of a query. */
function visible(owned: Owned[], access: Access, query: URLSearchParams): Owned[] {
  const matches = (name: string, value: number | null) =>
    !query.has(name) || Number(query.get(name)) === value;
  return owned.filter(
    (row) =>
      maySee(access, row) &&
      matches('customer_id', row.customerId) &&
      matches('workspace_id', row.workspaceId) &&
      matches('api_key_id', row.apiKeyId),
  );
}

/** Returns the owners of the rows in a response. */
function ownersIn(text: string): Owner[] {
  return [...text.matchAll(/owned-by-(\d)-(\d|all)-/g)].map(([, customer, workspace]) => ({
    customerId: Number(customer),
    workspaceId: workspace === 'all' ? null : Number(workspace),
  }));
}

/** The parts of responses whose rows or total are compared with the oracle. */
interface Body {
  gpus?: { gpu_id: string }[];
  total_size?: number;
  summary?: { state: { count: number }[] };
}

/** Mulberry32, a seeded generator with a full period of 2^32. */
function randomly(seed: number) {
  let state = seed;
  const below = (n: number) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % n;
  };
  return {
    below,
    oneOf: <T>(values: readonly T[]): T => values[below(values.length)] as T,
    maybe: () => below(2) === 0,
  };
}

test(`${REQUESTS} requests of various callers return no foreign row (seed ${SEED})`, async () => {
  const { below, oneOf, maybe } = randomly(SEED);
  const accesses: Access[] = [
    [],
    ...CUSTOMERS.map((customer_id): Access => [{ customer_id, workspace_ids: 'all' }]),
    ...CUSTOMERS.map((customer_id): Access => [{ customer_id, workspace_ids: [1 + (customer_id % 3)] }]),
    [{ customer_id: 1, workspace_ids: [] }],
    [
      { customer_id: 1, workspace_ids: [1, 3] },
      { customer_id: 2, workspace_ids: 'all' },
    ],
    [
      { customer_id: 3, workspace_ids: [2] },
      { customer_id: 3, workspace_ids: [3] },
    ],
    [{ customer_id: 9, workspace_ids: 'all' }],
  ];
  const scope = () => ({
    ...(maybe() ? { customer_id: oneOf(['1', '2', '3', '9', '2147483648']) } : {}),
    ...(maybe() ? { workspace_id: oneOf(['1', '2', '3', '9']) } : {}),
    ...(maybe() ? { api_key_id: oneOf(['5', '6']) } : {}),
  });
  const filters = () =>
    oneOf<Record<string, string>>([
      {},
      {},
      { 'filter[title][contains]': oneOf(['owned', '-2-', '%', '_', "' OR true --"]) },
      { 'filter[hostname][notContains]': 'owned-by-1' },
      { 'filter[hostname][notEquals]': 'x' },
      { 'filter[severity][in]': 'critical,low' },
      { 'filter[state][notEquals]': 'ignored' },
      { 'filter[timestamp][gte]': minutesAgo(below(60)) },
      { from: minutesAgo(60 * (1 + below(48))) },
    ]);
  const listing = (): Record<string, string> => ({
    ...scope(),
    ...filters(),
    ...(maybe()
      ? { sort: oneOf(['timestamp', '-timestamp', 'severity', '-type', 'state', 'hostname', '-hostname']) }
      : {}),
    page_size: oneOf(['1', '3', '10', '10000']),
  });
  const paginations: [query: Record<string, string>, token: string][] = [];
  const path = (route: string, query: Record<string, string> = {}) =>
    `${route}?${new URLSearchParams(query).toString()}`;
  let shown = 0;
  for (let n = 0; n < REQUESTS; n++) {
    const access = oneOf(accesses);
    const alert = oneOf(ALERTS);
    const gpu = oneOf(GPUS);
    const [firstQuery, token] = paginations.length > 0 ? oneOf(paginations) : [{}, 'none'];
    const [url, about] = oneOf<() => [string, Owner | null]>([
      () => [path('/api/v1/alerts/', listing()), null],
      () => [path('/api/v1/alerts/', listing()), null],
      // Continues the pagination of another caller.
      () => [path('/api/v1/alerts/', { ...firstQuery, page_token: token }), null],
      () => [path('/api/v1/alerts:summary', { ...scope(), ...filters() }), null],
      () => [path('/api/v1/alerts:severityTrend', { ...scope(), ...filters() }), null],
      () => [`/api/v1/alerts/${alert.id}`, alert],
      () => [`/api/v1/alerts/${alert.id}/timeline`, alert],
      () => [path('/api/v1/gpus', { ...scope(), view: oneOf(['full', 'basic']) }), null],
      () => [`/api/v1/gpus/${encodeURIComponent(gpu.id)}`, gpu],
      () => [path('/api/v1/metrics', scope()), null],
    ])();
    const response = await fleet.get(url, access);
    const text = await response.text();
    const place = JSON.stringify({ n, access, url });
    const statuses =
      about !== null ? [maySee(access, about) ? 200 : 404] : url.includes('page_token') ? [200, 400] : [200];
    expect([place, statuses.includes(response.status) || response.status]).toEqual([place, true]);
    if (response.status !== 200) continue;
    // The id is a reference that the alert itself contains; the inventory of the GPU is not.
    const owners = ownersIn(text.replace(/"gpu_details":\{"gpu_id":"[^"]*"/, ''));
    shown += owners.length;
    expect([place, owners.filter((owner) => !maySee(access, owner))]).toEqual([place, []]);
    const next = /"next_page_token":"([^"]+)"/.exec(text)?.[1];
    if (next !== undefined)
      paginations.push([Object.fromEntries(new URLSearchParams(url.split('?')[1])), next]);
    if (/filter|from|page_token|alerts\/0|metrics/.test(url)) continue;
    const { searchParams } = new URL(url, fleet.running.publicUrl);
    const body = JSON.parse(text) as Body;
    if (body.gpus) {
      const ids = body.gpus.map(({ gpu_id }) => gpu_id).sort();
      const expected = visible(GPUS, access, searchParams).map(({ id }) => id);
      expect([place, ids]).toEqual([place, expected.sort()]);
    }
    const total = body.total_size ?? body.summary?.state.reduce((sum, { count }) => sum + count, 0);
    if (total !== undefined)
      expect([place, total]).toEqual([place, visible(ALERTS, access, searchParams).length]);
  }
  reportTorture({ operations: REQUESTS, faults: 0 });
  // Responses contained rows.
  expect(paginations.length).toBeGreaterThan(5);
  expect(shown).toBeGreaterThan(REQUESTS / 10);
}, 600_000);

test(`${FOREIGN_ALERTS} foreign alerts change no byte of a response`, async () => {
  const window = `from=${minutesAgo(3 * 24 * 60)}&to=${minutesAgo(0)}`;
  const callers: Access[] = [
    [{ customer_id: 1, workspace_ids: 'all' }],
    [{ customer_id: 1, workspace_ids: [2] }],
  ];
  const paths = [
    `/api/v1/alerts/?${window}`,
    `/api/v1/alerts/?${window}&filter[title][contains]=owned`,
    `/api/v1/alerts/?${window}&api_key_id=5&sort=-hostname`,
    `/api/v1/alerts:summary?${window}`,
    `/api/v1/alerts:summary?${window}&workspace_id=2&filter[hostname][notEquals]=x`,
    `/api/v1/alerts:severityTrend?${window}`,
    `/api/v1/alerts/${ALERTS[1]?.id}`,
    `/api/v1/alerts/${ALERTS[1]?.id}/timeline`,
    `/api/v1/gpus?${window}`,
    `/api/v1/metrics?${window}`,
  ];
  const readAll = async () => {
    const responses: [string, number, string | null, string | null, string][] = [];
    for (const access of callers) {
      for (const path of paths) {
        const response = await fleet.get(path, access);
        responses.push([
          path,
          response.status,
          response.headers.get('etag'),
          response.headers.get('x-data-as-of'),
          await response.text(),
        ]);
      }
    }
    return responses;
  };
  const before = await readAll();
  const { written } = await fleet.import(
    Array.from({ length: FOREIGN_ALERTS }, (_unused, n) =>
      alertRecord(1_000 + n, {
        customer_id: 2 + (n % 2),
        workspace_id: WORKSPACES[n % 4],
        api_key_id: 5,
        title: `owned-by-${2 + (n % 2)}-all-`,
        severity: ['critical', 'high', 'low'][n % 3],
        created_at: minutesAgo(1 + (n % 4_000)),
        gpu_id: GPUS[0]?.id,
      }),
    ),
  );
  expect(written).toBe(FOREIGN_ALERTS);
  expect(await readAll()).toEqual(before);
  // Their owners can read them.
  const theirs = await bodyOf<{ total_size: number }>(
    await fleet.get('/api/v1/alerts/?page_size=1', [
      { customer_id: 2, workspace_ids: 'all' },
      { customer_id: 3, workspace_ids: 'all' },
    ]),
    'listAlerts',
  );
  expect(theirs.total_size).toBeGreaterThan(FOREIGN_ALERTS);
}, 600_000);

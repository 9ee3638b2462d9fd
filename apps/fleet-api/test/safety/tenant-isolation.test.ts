import type { Access } from '@gpu-observatory/domain-types';
import { documentedOperations, pathOf } from '../support/documented-requests.ts';
import { bodyOf } from '../support/responses.ts';
import { useFleetService } from '../support/fleet-service.ts';
import {
  ALERTS,
  CUSTOMERS,
  GPUS,
  idsOf,
  type Owned,
  type Owner,
  ownedRecords,
  UTILIZATIONS,
  WORKSPACES,
} from '../support/owned-rows.ts';
import { alertRecord, minutesAgo } from '../support/records.ts';

const NIGHTLY_SEED = process.env['NIGHTLY_SEED'];
const REQUESTS = NIGHTLY_SEED ? 5_000 : 900;
const FOREIGN_ALERTS = NIGHTLY_SEED ? 10_000 : 500;
const SEED = Number(NIGHTLY_SEED ?? Date.now() % 1_000_000);

const OPERATIONS = documentedOperations();
/** Lists are paginated, also with the tokens of other callers. */
const FREQUENT = OPERATIONS.flatMap((operation) =>
  operation.isPaginated ? [operation, operation, operation] : [operation],
);

const fleet = useFleetService();

beforeAll(async () => {
  for (const records of ownedRecords()) await fleet.import(records);
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
  metrics?: { metrics_summary: { gpu_count: number; avg_gpu_utilization: number | null } };
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
  };
}

test(`${REQUESTS} requests of various callers to all documented operations return no foreign row (seed ${SEED})`, async () => {
  const { below, oneOf } = randomly(SEED);
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
  const paginations: [path: string, query: Record<string, string>, token: string][] = [];
  const counts = new Map(OPERATIONS.map(({ operationId }) => [operationId, 0]));
  let shown = 0;
  /** Operations are drawn without replacement, so that each is requested equally often. */
  let deck: typeof FREQUENT = [];
  for (let n = 0; n < REQUESTS; n++) {
    const access = oneOf(accesses);
    // Half of the rows are visible, so that also requests for one row succeed.
    const some = (rows: Owned[]) => {
      const seen = visible(rows, access, new URLSearchParams());
      return oneOf(below(2) === 0 && seen.length > 0 ? seen : rows);
    };
    const alert = some(ALERTS);
    const gpu = some(GPUS);
    if (deck.length === 0) deck = [...FREQUENT];
    const operation = oneOf(deck);
    deck.splice(deck.indexOf(operation), 1);
    // A few parameters: with all of them, few rows would match.
    const names = [...operation.query.keys()].filter(() => below(operation.query.size + 1) < 3);
    const query = Object.fromEntries(
      names.map((name) => [name, oneOf(operation.query.get(name) as readonly string[])]),
    );
    if (operation.isPaginated && below(2) === 0) query['page_size'] = oneOf(['1', '3']);
    const ids = idsOf(alert, gpu);
    // Continues the pagination of another caller.
    const [path, firstQuery, token] = n % 10 === 0 && paginations.length > 0 ? oneOf(paginations) : [];
    const url =
      path === undefined
        ? pathOf(operation.path, ids, query)
        : pathOf(path, ids, { ...firstQuery, page_token: token as string });
    const about =
      path !== undefined || !/\{(?:id|hostname)\}/.test(operation.path)
        ? null
        : operation.path.includes('/alerts/')
          ? alert
          : gpu;
    const response = await fleet.get(url, access);
    const text = await response.text();
    const place = JSON.stringify({ n, access, url });
    const statuses =
      about !== null
        ? [visible([about], access, new URLSearchParams(query)).length > 0 ? 200 : 404]
        : path === undefined
          ? [200]
          : [200, 400];
    expect([place, statuses.includes(response.status) || response.status]).toEqual([place, true]);
    if (response.status !== 200) continue;
    if (path === undefined)
      counts.set(operation.operationId, (counts.get(operation.operationId) as number) + 1);
    // The id is a reference that the alert itself contains; the inventory of the GPU is not.
    const owners = ownersIn(text.replace(/"gpu_details":\{"gpu_id":"[^"]*"|"gpu_id":"[^"]*","count"/g, ''));
    shown += owners.length;
    expect([place, owners.filter((owner) => !maySee(access, owner))]).toEqual([place, []]);
    const next = /"next_page_token":"([^"]+)"/.exec(text)?.[1];
    if (next !== undefined && path === undefined) paginations.push([operation.path, query, next]);
    if (/filter|[?&](?:q|from|to|page_token|health|model|hostname|idle)=/.test(url) || about !== null)
      continue;
    const { searchParams } = new URL(url, fleet.running.publicUrl);
    const body = JSON.parse(text) as Body;
    const gpus = visible(GPUS, access, searchParams);
    if (body.metrics) {
      const { gpu_count, avg_gpu_utilization } = body.metrics.metrics_summary;
      const sum = gpus.reduce((total, { id }) => total + (UTILIZATIONS.get(id) as number), 0);
      const mean = gpus.length === 0 ? null : Math.round((sum / gpus.length) * 10_000) / 10_000;
      expect([place, gpu_count, avg_gpu_utilization]).toEqual([place, gpus.length, mean]);
    }
    if (body.gpus && !searchParams.has('page_size')) {
      const ids = body.gpus.map(({ gpu_id }) => gpu_id).sort();
      const expected = gpus.map(({ id }) => id);
      expect([place, ids]).toEqual([place, expected.sort()]);
    }
    const total = body.total_size ?? body.summary?.state.reduce((sum, { count }) => sum + count, 0);
    if (total !== undefined)
      expect([place, total]).toEqual([place, visible(ALERTS, access, searchParams).length]);
  }
  expect([...counts].filter(([, count]) => count < REQUESTS / 1_000)).toEqual([]);
  // Responses contained rows.
  expect(paginations.length).toBeGreaterThan(REQUESTS / 1_000);
  expect(shown).toBeGreaterThan(REQUESTS / 10);
}, 600_000);

test(`${FOREIGN_ALERTS} foreign alerts change no byte of a response`, async () => {
  const window = `from=${minutesAgo(3 * 24 * 60)}&to=${minutesAgo(0)}`;
  const callers: Access[] = [
    [{ customer_id: 1, workspace_ids: 'all' }],
    [{ customer_id: 1, workspace_ids: [2] }],
  ];
  const paths = [
    ...OPERATIONS.map(({ path, query }) =>
      pathOf(
        path,
        idsOf(ALERTS[1]!, GPUS[0]!),
        query.has('from') ? Object.fromEntries(new URLSearchParams(window)) : {},
      ),
    ),
    `/api/v1/alerts/?${window}&filter[title][contains]=owned`,
    `/api/v1/alerts/?${window}&api_key_id=5&sort=-hostname`,
    `/api/v1/alerts:summary?${window}&workspace_id=2&filter[hostname][notEquals]=x`,
  ];
  const readAll = async () => {
    const responses: [string, number, string | null, string | null, string][] = [];
    for (const access of callers) {
      for (const path of paths) {
        const response = await fleet.get(path, access);
        responses.push([
          path,
          response.status,
          // A weak one may change with the clock.
          response.headers.get('etag')?.replace(/^W\/.*/, 'weak') ?? null,
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

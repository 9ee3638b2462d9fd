import type { Access } from '@gpu-observatory/domain-types';
import { EVERYTHING_OF_CUSTOMER_1 } from '../../support/alert-pagination.ts';
import { useFleetService } from '../../support/fleet-service.ts';
import { alertRecord, alertStateRecord } from '../../support/records.ts';
import { bodyOf, errorMessageOf } from '../../support/responses.ts';

const DAY = 24 * 3_600_000;
/** Noon (UTC) of a day before today. */
const noon = (daysAgo: number) =>
  new Date(Math.floor(Date.now() / DAY) * DAY - daysAgo * DAY + DAY / 2).toISOString();
const BOTH: Access = [...EVERYTHING_OF_CUSTOMER_1, { customer_id: 2, workspace_ids: 'all' }];
const NONE = { critical: 0, high: 0, medium: 0, low: 0, info: 0 };

const fleet = useFleetService();
beforeAll(async () => {
  await fleet.import([
    alertRecord(1, { created_at: noon(3), severity: 'critical', hostname: 'node-1', gpu_id: 'GPU-1' }),
    alertRecord(2, { created_at: noon(2), severity: 'low', hostname: 'node-1', type: 'gpu_ecc' }),
    alertRecord(3, { created_at: noon(2), severity: 'low', hostname: 'node-2', workspace_id: 11 }),
    alertRecord(4, { created_at: noon(1), title: 'Miner on NODE-1', workspace_id: null, api_key_id: 7 }),
    alertRecord(5, { created_at: noon(1), hostname: 'node-1', customer_id: 2 }),
  ]);
  await fleet.import([alertStateRecord(2, 'ignored')]);
});

const get = (query: Record<string, string>, access: Access | null = EVERYTHING_OF_CUSTOMER_1) =>
  fleet.get(`/api/v1/alerts:groups?${new URLSearchParams(query).toString()}`, access);
const groups = async (query: Record<string, string>, access?: Access) =>
  bodyOf(await get(query, access), 'groupAlerts');

test('groups by host, each with its severities and times', async () => {
  const all = {
    groups: [
      {
        customer_id: 1,
        hostname: 'node-1',
        count: 2,
        by_severity: { ...NONE, critical: 1, low: 1 },
        first_at: noon(3),
        last_at: noon(2),
      },
      {
        customer_id: 1,
        hostname: 'node-2',
        count: 1,
        by_severity: { ...NONE, low: 1 },
        first_at: noon(2),
        last_at: noon(2),
      },
      {
        customer_id: 1,
        hostname: null,
        count: 1,
        by_severity: { ...NONE, high: 1 },
        first_at: noon(1),
        last_at: noon(1),
      },
    ],
    total: 4,
    group_count: 3,
  };
  expect(await groups({})).toEqual(all);
  expect(await groups({ group_by: 'host', page_size: '1' })).toEqual({
    ...all,
    groups: all.groups.slice(0, 1),
  });
});

test.each([
  ['workspace', {}, [{ workspace_id: 10, count: 2 }, { workspace_id: 11 }, { workspace_id: null }]],
  [
    'gpu',
    {},
    [
      { gpu_id: null, count: 3 },
      { gpu_id: 'GPU-1', count: 1 },
    ],
  ],
  ['day', {}, [noon(1), noon(2), noon(3)].map((at) => ({ day: at.slice(0, 10), last_at: at }))],
  [
    'type',
    {},
    [
      { type: 'gpu_thermal', count: 3 },
      { type: 'gpu_ecc', count: 1 },
    ],
  ],
  ['severity', {}, [{ severity: 'low', count: 2 }, { severity: 'critical' }, { severity: 'high' }]],
  ['hour', {}, [noon(1), noon(2), noon(3)].map((at) => ({ hour: at, last_at: at }))],
  [
    'state',
    {},
    [
      { state: 'active', count: 3 },
      { state: 'ignored', count: 1 },
    ],
  ],
  [
    'state',
    { 'filter[hostname][notIn]': 'NODE-2,node-3' },
    [{ state: 'active', count: 2 }, { state: 'ignored' }],
  ],
  ['type', { 'filter[state][equals]': 'ignored' }, [{ type: 'gpu_ecc', first_at: noon(2), count: 1 }]],
  ['severity', { api_key_id: '7' }, [{ severity: 'high', first_at: noon(1) }]],
  ['day', { workspace_id: '11' }, [{ day: noon(2).slice(0, 10), count: 1 }]],
  ['day', { from: noon(2), to: noon(1) }, [{ day: noon(2).slice(0, 10), count: 2 }]],
  [
    'host',
    { q: 'node-1' },
    [
      { hostname: 'node-1', count: 2 },
      { hostname: null, count: 1 },
    ],
  ],
  [
    'type',
    { q: 'node-1' },
    [
      { type: 'gpu_thermal', count: 2 },
      { type: 'gpu_ecc', count: 1 },
    ],
  ],
  ['host', { customer_id: '2' }, []],
])('groups by %s with %j', async (group_by, query, expected) => {
  const body = (await groups({ group_by, ...query } as Record<string, string>)) as {
    groups: object[];
    group_count: number;
  };
  expect(body).toMatchObject({ groups: expected });
  expect([body.groups.length, body.group_count]).toEqual([expected.length, expected.length]);
});

test('hosts of two customers are two groups, alerts of a type one', async () => {
  expect(await groups({ 'filter[hostname][equals]': 'node-1' }, BOTH)).toMatchObject({
    groups: [
      { customer_id: 1, hostname: 'node-1', count: 2 },
      { customer_id: 2, hostname: 'node-1', count: 1 },
    ],
    total: 3,
  });
  expect(await groups({ group_by: 'type' }, BOTH)).toMatchObject({
    groups: [{ type: 'gpu_thermal', count: 4, first_at: noon(3), last_at: noon(1) }, { type: 'gpu_ecc' }],
    total: 5,
    group_count: 2,
  });
  expect(await groups({}, [])).toEqual({ groups: [], total: 0, group_count: 0 });
});

test.each([
  [
    'group_by=title',
    /group_by must be given once, as one of host, workspace, gpu, day, hour, type, severity/,
  ],
  ['page_size=1001', /page_size must be given once, as an integer from 1 to 1000/],
  ['q=', /q must be given once, as a text with at least one character/],
  ['q=a&q=b', /q must be given once/],
  [`from=${noon(1)}&to=${noon(2)}`, /must not be later than to/],
  ['filter[state][equals]=open', /must be given once, as one of active, ignored/],
  ['sort=type', /sort is not a parameter of this endpoint; it takes .*group_by/],
  ['page_token=x', /page_token is not a parameter of this endpoint/],
])('rejects %s', async (query, message) => {
  const response = await fleet.get(`/api/v1/alerts:groups?${query}`, EVERYTHING_OF_CUSTOMER_1);
  expect(await errorMessageOf(response, 'groupAlerts', 400, 'invalid_query')).toMatch(message);
});

test('needs a token', async () => {
  await errorMessageOf(await get({}, null), 'groupAlerts', 401, 'unauthorized');
});

test('an unchanged response is 304', async () => {
  const etag = (await get({ group_by: 'day' })).headers.get('etag') as string;
  const repetition = await fleet.get('/api/v1/alerts:groups?group_by=day', EVERYTHING_OF_CUSTOMER_1, {
    'if-none-match': etag,
  });
  expect(repetition.status).toBe(304);
});

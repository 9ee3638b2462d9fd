import type { Access } from '@gpu-observatory/domain-types';
import { bodyOf, errorMessageOf } from '../support/responses.ts';
import { useFleetService } from '../support/fleet-service.ts';
import { gpuRecord, minutesAgo as before, xidRecord } from '../support/records.ts';

const NOW = Date.now();
const minutesAgo = (minutes: number) => before(minutes, NOW);
const daysAgo = (days: number) => minutesAgo(days * 24 * 60);
const ALL: Access = [{ customer_id: 1, workspace_ids: 'all' }];
const BOTH: Access = [...ALL, { customer_id: 2, workspace_ids: 'all' }];
const OF_11: Access = [{ customer_id: 1, workspace_ids: [11] }];

interface Incident {
  code: number;
  gpu_id: string;
  hostname: string;
  alert_id: string | null;
  count: number;
}
interface Page {
  incidents: Incident[];
  next_page_token?: string;
}

const fleet = useFleetService();
beforeAll(() =>
  fleet.import([
    gpuRecord('GPU-a', { hostname: 'node-1', workspace_id: 10, api_key_id: 5 }),
    gpuRecord('GPU-b', { hostname: 'node-1', workspace_id: 10 }),
    gpuRecord('GPU-c', { hostname: 'node-2', workspace_id: 11 }),
    gpuRecord('GPU-d', { customer_id: 2, hostname: 'node-9', workspace_id: 20 }),
    {
      kind: 'gpu_process',
      customer_id: 1,
      at: minutesAgo(62),
      gpu_id: 'GPU-a',
      pid: 7,
      started_at: minutesAgo(300),
      name: 'python',
      usage_category: 'training',
    },
    xidRecord('GPU-a', minutesAgo(60), 79, { message: 'GPU has fallen off the bus.', raise_alert: true }),
    // The same incident: within a minute of the XID before.
    xidRecord('GPU-a', minutesAgo(59.5), 79, { message: 'GPU has fallen off the bus.' }),
    xidRecord('GPU-b', minutesAgo(50), 79),
    xidRecord('GPU-c', minutesAgo(40), 31),
    xidRecord('GPU-b', daysAgo(10), 48),
    xidRecord('GPU-d', minutesAgo(45), 13, { customer_id: 2 }),
    // A month ago: XID 95 is the first of neither customer, but of both together.
    ...[94, 94, 95].map((code, n) => xidRecord('GPU-a', daysAgo(30 + n), code)),
    ...[13, 13, 95, 95].map((code, n) => xidRecord('GPU-d', daysAgo(30 + n), code, { customer_id: 2 })),
  ]),
);

const list = async (query: string, access = ALL) =>
  bodyOf<Page>(await fleet.get(`/api/v1/xid-incidents${query}`, access), 'listXidIncidents');
const found = async (query: string, access = ALL) =>
  (await list(query, access)).incidents.map(({ code, gpu_id }) => `${code} ${gpu_id}`);

test('an incident has its times, number of XIDs, alert, what to do, and what ran', async () => {
  const { incidents } = await list('?gpu_id=GPU-a');
  expect(incidents).toEqual([
    {
      code: 79,
      name: 'GPU has fallen off the bus',
      severity: 'critical',
      action: 'restart host',
      gpu_id: 'GPU-a',
      hostname: 'node-1',
      workspace_id: 10,
      alert_id: expect.any(String) as string,
      first_at: minutesAgo(60),
      last_at: minutesAgo(59.5),
      count: 2,
      message: 'GPU has fallen off the bus.',
      workloads: [{ name: 'python', description: '', usage_category: 'training' }],
    },
  ]);
  expect(await found(`?alert_id=${incidents[0]?.alert_id}`)).toEqual(['79 GPU-a']);
  expect(await found(`?alert_id=${incidents[0]?.alert_id}`, OF_11)).toEqual([]);
  expect(await found(`?alert_id=${incidents[0]?.alert_id}&code=31`)).toEqual([]);
});

test.each<[string, string, Access, string[]]>([
  ['of the last seven days, newest first', '', ALL, ['31 GPU-c', '79 GPU-b', '79 GPU-a']],
  ['of a window', `?from=${daysAgo(20)}&to=${minutesAgo(55)}`, ALL, ['79 GPU-a', '48 GPU-b']],
  ['of a window that begins in the future', `?from=${minutesAgo(-60)}`, ALL, []],
  ['of codes', `?code=31,48&from=${daysAgo(20)}`, ALL, ['31 GPU-c', '48 GPU-b']],
  ['of a host', '?hostname=node-1', ALL, ['79 GPU-b', '79 GPU-a']],
  ['of a code on a host', '?hostname=node-2&code=79', ALL, []],
  ['of a workspace', '?workspace_id=11', ALL, ['31 GPU-c']],
  ['of an API key', '?api_key_id=5', ALL, ['79 GPU-a']],
  ['of the workspaces of the caller', '', OF_11, ['31 GPU-c']],
  ['of a host in another workspace', '?hostname=node-1', OF_11, []],
  ['of several customers', '', BOTH, ['31 GPU-c', '13 GPU-d', '79 GPU-b', '79 GPU-a']],
  ['of no customer', '', [], []],
])('lists the incidents %s', async (_of, query, access, expected) => {
  expect(await found(query, access)).toEqual(expected);
  // Page by page.
  const paged: string[] = [];
  for (let token = ''; ;) {
    const page = await list(`${query === '' ? '?' : `${query}&`}page_size=1${token}`, access);
    paged.push(...page.incidents.map(({ code, gpu_id }) => `${code} ${gpu_id}`));
    if (page.next_page_token === undefined) break;
    token = `&page_token=${page.next_page_token}`;
  }
  expect(paged).toEqual(expected);
});

test.each<[string, string, object[]]>([
  [
    'host',
    '',
    [
      {
        hostname: 'node-1',
        incidents: 2,
        gpus: 2,
        hosts: 1,
        first_at: minutesAgo(60),
        last_at: minutesAgo(50),
      },
      { hostname: 'node-2', incidents: 1, gpus: 1, hosts: 1 },
      { hostname: 'node-9', incidents: 1, gpus: 1, hosts: 1 },
    ],
  ],
  [
    'code',
    '&hostname=node-1',
    [{ code: 79, name: 'GPU has fallen off the bus', incidents: 2, gpus: 2, hosts: 1 }],
  ],
  ['code', '&workspace_id=11', [{ code: 31, incidents: 1 }]],
  ['day', `&code=48&from=${daysAgo(20)}`, [{ day: daysAgo(10).slice(0, 10), incidents: 1 }]],
  ['code', '&page_size=1', [{ code: 79, incidents: 2 }]],
  ['code', `&from=${minutesAgo(-60)}`, []],
  [
    'code',
    `&page_size=1&from=${daysAgo(40)}&to=${daysAgo(20)}`,
    [{ code: 95, incidents: 3, gpus: 2, hosts: 2 }],
  ],
])('counts incidents by %s%s', async (groupBy, query, groups) => {
  const body = await bodyOf<{ groups: object[] }>(
    await fleet.get(`/api/v1/xid-incidents?group_by=${groupBy}${query}`, BOTH),
    'listXidIncidents',
  );
  expect(body).toMatchObject({ groups });
  expect(body.groups).toHaveLength(groups.length);
});

test.each([
  ['code=0', /code must be given once, as up to 50 integers/],
  ['code=79,', /code must be given once, as up to 50 integers/],
  ['alert_id=7', /alert_id must be given once, as a UUID/],
  ['group_by=gpu', /group_by must be given once, as one of code, host, day/],
  ['page_size=1001', /page_size must be given once, as an integer from 1 to 1000/],
  [`from=${minutesAgo(1)}&to=${minutesAgo(2)}`, /must not be later than to/],
  ['group_by=code&page_token=x', /group_by must not be given together with page_token/],
  ['host=node-1', /host is not a parameter of this endpoint; it takes .*hostname/],
])('rejects %s', async (query, message) => {
  expect(
    await errorMessageOf(
      await fleet.get(`/api/v1/xid-incidents?${query}`, ALL),
      'listXidIncidents',
      400,
      'invalid_query',
    ),
  ).toMatch(message);
});

test('a page token is valid for its query and its customers only', async () => {
  const { next_page_token: token } = await list('?page_size=1', BOTH);
  const error = async (query: string, access: Access) =>
    errorMessageOf(
      await fleet.get(`/api/v1/xid-incidents?${query}&page_token=${token}`, access),
      'listXidIncidents',
      400,
      'invalid_cursor',
    );
  expect(await error('code=79', BOTH)).toMatch(/belongs to another query/);
  expect(await error('page_size=1', ALL)).toMatch(/access to other customers/);
});

test('an unchanged response is 304', async () => {
  const statusOfRepetition = async () => {
    const { headers } = await fleet.get('/api/v1/xid-incidents', ALL);
    const etag = headers.get('etag') as string;
    return (await fleet.get('/api/v1/xid-incidents', ALL, { 'if-none-match': etag })).status;
  };
  // The entity tag changes once a minute; two minutes do not end within two repetitions.
  expect([await statusOfRepetition(), await statusOfRepetition()]).toContain(304);
});

import type { Access } from '@gpu-observatory/domain-types';
import { RULE_ACTIONS } from '../../src/model/health/rule-actions.ts';
import { useFleetService } from '../support/fleet-service.ts';
import { bodyOf, errorMessageOf } from '../support/responses.ts';
import { ALL, BOTH, COMPOSITE_ID, minutesAgo, OF_11, OTHER, statusRecords } from '../support/status-fleet.ts';

interface Page {
  gpus: { gpu_id: string }[];
  next_page_token?: string;
}

const fleet = useFleetService();
beforeAll(() => fleet.import(statusRecords()));

const list = async (query: string, access = ALL) =>
  bodyOf<Page>(await fleet.get(`/api/v1/gpu-status${query}`, access), 'listGpuStatus');

test('a GPU has newest readings and means, the first reason with what to do, and since when', async () => {
  const { gpus } = await list('?health=critical,missing');
  expect(gpus).toEqual([
    {
      gpu_id: 'GPU-a',
      hostname: 'node-1',
      workspace_id: 10,
      vendor: 'NVIDIA',
      model: 'H100',
      pcie_address: '00000000:9D:00.0',
      serial_no: 's-1',
      health: 'critical',
      since: minutesAgo(30),
      reason: {
        rule: 'temperature_near_shutdown',
        health: 'critical',
        evidence: '94 °C; the board shuts down at 95 °C',
        evidence_at: minutesAgo(1),
        since: minutesAgo(30),
        until: minutesAgo(-49),
        action: RULE_ACTIONS.temperature_near_shutdown,
      },
      latest: {
        utilization_pct: 60,
        memory_used_gb: 2,
        memory_total_gb: 80,
        temperature_c: 94,
        power_draw_w: 600,
        power_limit_w: 700,
      },
      mean: { utilization_pct: 50, temperature_c: 93.5 },
      idle: false,
      xid_errors: 0,
      last_seen: minutesAgo(1),
    },
    expect.objectContaining({
      gpu_id: 'GPU-c',
      health: 'missing',
      since: minutesAgo(60),
      reason: {
        rule: 'critical_xid',
        health: 'critical',
        evidence: 'XID 79: GPU has fallen off the bus (restart host)',
        evidence_at: minutesAgo(61),
        since: minutesAgo(61),
        until: minutesAgo(61 - 24 * 60),
        action: 'restart host',
      },
      xid_errors: 1,
    }),
    expect.objectContaining({
      gpu_id: 'GPU-d',
      since: minutesAgo(70),
      reason: {
        rule: 'no_report',
        health: 'missing',
        evidence: `no report since ${minutesAgo(70)}; one is due every 600 s`,
        evidence_at: minutesAgo(70),
        since: minutesAgo(70),
        until: null,
        action: RULE_ACTIONS.no_report,
      },
    }),
  ]);
  expect((await list('?health=healthy&idle=true')).gpus).toMatchObject([
    { gpu_id: 'GPU-b', since: null, reason: null, idle: true, xid_errors: null },
  ]);
});

test.each<[string, string, Access, string[]]>([
  ['the worst first', '', ALL, ['GPU-a', 'GPU-c', 'GPU-e', 'GPU-d', 'GPU-b', COMPOSITE_ID]],
  [
    'the hottest first, missing ones last',
    '?sort=hottest',
    ALL,
    ['GPU-a', 'GPU-e', 'GPU-b', 'GPU-c', 'GPU-d', COMPOSITE_ID],
  ],
  ['the idle ones first', '?sort=idle', ALL, ['GPU-b', 'GPU-e', 'GPU-a', 'GPU-c', 'GPU-d', COMPOSITE_ID]],
  ['by name', '?sort=name', ALL, ['GPU-a', 'GPU-b', 'GPU-c', 'GPU-d', 'GPU-e', COMPOSITE_ID]],
  ['that are idle', '?idle=true', BOTH, ['GPU-b', 'GPU-f']],
  ['that are not idle', '?idle=false&sort=idle', ALL, ['GPU-e', 'GPU-a', 'GPU-c', 'GPU-d']],
  ['of a health', '?health=degraded', ALL, ['GPU-e']],
  ['of models', '?model=A100,H200', ALL, ['GPU-b']],
  ['of a host', '?hostname=node-1', ALL, ['GPU-a', 'GPU-b']],
  ['of a workspace', '?workspace_id=11', ALL, ['GPU-c', 'GPU-d']],
  ['of an API key', '?api_key_id=5', ALL, ['GPU-a']],
  ['of the workspaces of the caller', '', OF_11, ['GPU-c', 'GPU-d']],
  ['of a host in another workspace', '?hostname=node-1', OF_11, []],
  [
    'of several customers',
    '?sort=hottest',
    BOTH,
    ['GPU-a', 'GPU-e', 'GPU-f', 'GPU-b', 'GPU-c', 'GPU-d', COMPOSITE_ID],
  ],
  ['of another customer', '', OTHER, []],
  ['of no customer', '', [], []],
])('lists the GPUs %s', async (_of, query, access, expected) => {
  expect((await list(query, access)).gpus.map(({ gpu_id }) => gpu_id)).toEqual(expected);
  // Page by page.
  const paged: string[] = [];
  for (let token = ''; ;) {
    const page = await list(`${query === '' ? '?' : `${query}&`}page_size=1${token}`, access);
    paged.push(...page.gpus.map(({ gpu_id }) => gpu_id));
    if (page.next_page_token === undefined) break;
    token = `&page_token=${page.next_page_token}`;
  }
  expect(paged).toEqual(expected);
});

test('means and XIDs are those of the window', async () => {
  const window = `from=${minutesAgo(4 * 24 * 60)}&to=${minutesAgo(3 * 24 * 60)}`;
  expect((await list(`?hostname=node-1&health=critical&${window}`)).gpus).toMatchObject([
    {
      latest: { utilization_pct: 60 },
      mean: { utilization_pct: null, temperature_c: null },
      idle: null,
      xid_errors: null,
    },
  ]);
});

test.each([
  ['health=ill', /health must be given once, as a comma-separated list of critical, degraded/],
  ['health=', /health must be given once/],
  ['model=H100,', /model must be given once, as up to 50 texts, separated by commas/],
  ['hostname=', /hostname must be given once, as a text with at least one character/],
  ['idle=yes', /idle must be given once, as one of true, false/],
  ['sort=health', /sort must be given once, as one of worst, hottest, idle, name/],
  ['page_size=1001', /page_size must be given once, as an integer from 1 to 1000/],
  ['from=today', /from must be given once, as an RFC 3339 time/],
  ['to=today', /to must be given once, as an RFC 3339 time/],
  [`from=${minutesAgo(1)}&to=${minutesAgo(2)}`, /must not be later than to/],
  ['customer_id=0', /customer_id must be given once, as an integer of at least 1/],
  ['view=basic', /view is not a parameter of this endpoint; it takes .*health/],
])('rejects %s', async (query, message) => {
  const response = await fleet.get(`/api/v1/gpu-status?${query}`, ALL);
  expect(await errorMessageOf(response, 'listGpuStatus', 400, 'invalid_query')).toMatch(message);
});

test('a page token is valid for its query and its customers only', async () => {
  const { next_page_token: token } = await list('?page_size=1', BOTH);
  const error = async (query: string, access: Access, page = token) =>
    errorMessageOf(
      await fleet.get(`/api/v1/gpu-status?${query}&page_token=${page}`, access),
      'listGpuStatus',
      400,
      'invalid_cursor',
    );
  expect(await error('sort=hottest', BOTH)).toMatch(/belongs to another query/);
  expect(await error('page_size=1', ALL)).toMatch(/access to other customers/);
  expect(await error('page_size=1', ALL, 'x')).toMatch(/was not issued by this API/);
});

test('a request without a token is rejected', async () => {
  await errorMessageOf(await fleet.get('/api/v1/gpu-status', null), 'listGpuStatus', 401, 'unauthorized');
});

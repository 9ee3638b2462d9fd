import type { Access } from '@gpu-observatory/domain-types';
import { startOfHour, encodePageToken } from '../../src/api/paging/page-token.ts';
import { RULE_ACTIONS } from '../../src/model/health/rule-actions.ts';
import { useFleetService } from '../support/fleet-service.ts';
import { bodyOf, errorMessageOf } from '../support/responses.ts';
import { ALL, BOTH, minutesAgo, OF_11, OTHER, statusRecords } from '../support/status-fleet.ts';

interface Page {
  hosts: { hostname: string }[];
  next_page_token?: string;
}

const fleet = useFleetService();
beforeAll(() => fleet.import(statusRecords()));

const list = async (query: string, access = ALL) =>
  bodyOf<Page>(await fleet.get(`/api/v1/hosts${query}`, access), 'listHosts');

test('the worst host has the health of its GPUs, the first reason, readings and alerts', async () => {
  expect((await list('?page_size=1')).hosts).toEqual([
    {
      hostname: 'node-1',
      customer_id: 1,
      workspace_ids: [10],
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
        gpu_id: 'GPU-a',
      },
      gpu_count: 2,
      gpus_by_health: { critical: 1, missing: 0, degraded: 0, healthy: 1 },
      models: ['A100', 'H100'],
      latest: { utilization_pct: 30.5, max_temperature_c: 94, power_draw_w: 700.5 },
      mean: { utilization_pct: 25.5 },
      idle_gpu_count: 1,
      alerts: { critical: 1, high: 2, medium: 0, low: 0, info: 0 },
      last_seen: minutesAgo(1),
    },
  ]);
});

test('a host of missing GPUs has no newest readings, and the alerts that the caller may read', async () => {
  const ofCaller = async (access: Access) => (await list('?workspace_id=11', access)).hosts;
  expect(await ofCaller(ALL)).toMatchObject([
    {
      hostname: 'node-2',
      health: 'missing',
      since: minutesAgo(60),
      reason: { rule: 'critical_xid', gpu_id: 'GPU-c' },
      gpus_by_health: { critical: 0, missing: 2, degraded: 0, healthy: 0 },
      latest: { utilization_pct: null, max_temperature_c: null, power_draw_w: null },
      alerts: { critical: 0, high: 0, medium: 0, low: 1, info: 0 },
    },
  ]);
  expect(await ofCaller(OF_11)).toEqual(await ofCaller(ALL));
  expect((await list('?health=missing')).hosts).toMatchObject([{ alerts: { low: 1, info: 1 } }]);
});

test.each<[string, string, Access, string[]]>([
  ['the worst first', '', ALL, ['node-1', 'node-2', 'node-3', 'node-4']],
  [
    'the hottest first, missing ones last',
    '?sort=hottest',
    BOTH,
    ['node-1', 'node-3', 'node-9', 'node-2', 'node-4'],
  ],
  ['the idle ones first', '?sort=idle', BOTH, ['node-9', 'node-3', 'node-1', 'node-2', 'node-4']],
  ['by name', '?sort=name', BOTH, ['node-1', 'node-2', 'node-3', 'node-4', 'node-9']],
  ['that are idle', '?idle=true', BOTH, ['node-9']],
  ['that are not idle', '?idle=false', BOTH, ['node-1', 'node-2', 'node-3']],
  ['of healths', '?health=degraded,healthy', ALL, ['node-3', 'node-4']],
  ['with a model', '?model=A100', ALL, ['node-1']],
  ['of a workspace', '?workspace_id=11', ALL, ['node-2']],
  ['of an API key', '?api_key_id=5', ALL, ['node-1']],
  ['of the workspaces of the caller', '', OF_11, ['node-2']],
  ['of several customers', '', BOTH, ['node-1', 'node-2', 'node-3', 'node-4', 'node-9']],
  ['of another customer', '', OTHER, []],
  ['of no customer', '', [], []],
])('lists the hosts %s', async (_of, query, access, expected) => {
  expect((await list(query, access)).hosts.map(({ hostname }) => hostname)).toEqual(expected);
  // Page by page.
  const paged: string[] = [];
  for (let token = ''; ;) {
    const page = await list(`${query === '' ? '?' : `${query}&`}page_size=1${token}`, access);
    paged.push(...page.hosts.map(({ hostname }) => hostname));
    if (page.next_page_token === undefined) break;
    token = `&page_token=${page.next_page_token}`;
  }
  expect(paged).toEqual(expected);
});

test.each([
  ['health=ill', /health must be given once/],
  ['model=,', /model must be given once/],
  ['idle=1', /idle must be given once, as one of true, false/],
  ['sort=hostname', /sort must be given once, as one of worst, hottest, idle, name/],
  ['page_size=0', /page_size must be given once, as an integer from 1 to 1000/],
  ['from=today', /from must be given once/],
  ['to=today', /to must be given once/],
  [`from=${minutesAgo(1)}&to=${minutesAgo(2)}`, /must not be later than to/],
  ['workspace_id=a', /workspace_id must be given once/],
  ['hostname=node-1', /hostname is not a parameter of this endpoint; it takes .*health/],
])('rejects %s', async (query, message) => {
  const response = await fleet.get(`/api/v1/hosts?${query}`, ALL);
  expect(await errorMessageOf(response, 'listHosts', 400, 'invalid_query')).toMatch(message);
});

test('a page token is valid for its query and its customers only', async () => {
  const { next_page_token: token } = await list('?page_size=1', BOTH);
  const error = async (query: string, access: Access) =>
    errorMessageOf(
      await fleet.get(`/api/v1/hosts?${query}&page_token=${token}`, access),
      'listHosts',
      400,
      'invalid_cursor',
    );
  expect(await error('health=critical', BOTH)).toMatch(/belongs to another query/);
  expect(await error('page_size=1', ALL)).toMatch(/access to other customers/);
});

test('a request without a token is rejected', async () => {
  await errorMessageOf(await fleet.get('/api/v1/hosts', null), 'listHosts', 401, 'unauthorized');
});

const tokenOf = (after: unknown) =>
  encodePageToken(
    { startedHourMs: startOfHour(Date.now()), data: { seqs: [], changedAtMs: null }, after },
    'hosts?',
  );

test.each<[string, () => Promise<string> | string]>([
  [
    'of another list',
    async () => {
      const response = await fleet.get('/api/v1/gpu-status?page_size=1', ALL);
      return (await bodyOf<{ next_page_token: string }>(response, 'listGpuStatus')).next_page_token;
    },
  ],
  ['with a text that the database rejects', () => tokenOf([0, '\0', '', 1])],
  ['with an integer that the database rejects', () => tokenOf([0, '', '', 3_000_000_000])],
])('rejects a page token %s with 400', async (_of, token) => {
  const response = await fleet.get(`/api/v1/hosts?page_token=${await token()}`, ALL);
  expect(await errorMessageOf(response, 'listHosts', 400, 'invalid_cursor')).toContain('page_token');
});

import { summaryOf } from '../../deployment/http-exchange.ts';
import { Skipped, expectHeader, expectSame, expectThat } from '../expectations.ts';
import { type Rule, rule } from '../rule.ts';
import type { Target } from '../target.ts';
import { API, expectError, query, readOk, someAlerts, someGpus, UNKNOWN_ID } from './requests.ts';

const LISTS = ['/alerts/', '/alerts:summary', '/alerts:severityTrend', '/gpus'];

const INVALID_INTEGERS = ['0', '-1', '1.5', '1e3', '0x10', ' 1', '+1', '01', 'abc', ''];
const INVALID_TIMESTAMPS = [
  '2026-11-21',
  '2026-11-21T00:00:00',
  '2026-13-01T00:00:00Z',
  '2026-02-30T00:00:00Z',
  '10000-01-01T00:00:00Z',
  'yesterday',
  '',
];

/** Queries that the service rejects with `invalid_query`, each with its fault. */
const INVALID_QUERIES: [why: string, path: string][] = [
  ['unknown filter field', '/alerts/?filter[color][equals]=red'],
  ['unknown operator', '/alerts/?filter[severity][contains]=high'],
  ['unknown severity', '/alerts/?filter[severity][equals]=urgent'],
  ['unknown member of in', '/alerts/?filter[type][in]=gpu_ecc,nonsense'],
  ['empty in', '/alerts/?filter[severity][in]='],
  ['bad filter timestamp', '/alerts/?filter[timestamp][gte]=monday'],
  ['unknown sort', '/alerts/?sort=color'],
  ['page size 0', '/alerts/?page_size=0'],
  ['page size 10001', '/alerts/?page_size=10001'],
  ['page size that is not an integer', '/alerts/?page_size=many'],
  ['from later than to', `/alerts/?${query({ from: '2026-11-02T00:00:00Z', to: '2026-11-01T00:00:00Z' })}`],
  ['sort in the summary', '/alerts:summary?sort=timestamp'],
  ['page_size in the trend', '/alerts:severityTrend?page_size=10'],
  ['unknown view', '/gpus?view=wide'],
  ['id that is not a UUID', '/alerts/not-a-uuid'],
  ['id that is not a UUID', '/alerts/not-a-uuid/timeline'],
  ['query on a detail', `/alerts/${UNKNOWN_ID}?view=full`],
  ['query on a timeline', `/alerts/${UNKNOWN_ID}/timeline?page_size=1`],
];

export const invalidRequests: Rule[] = [
  rule('invalid-query-rejected', 'docs/fleet-api.md#alert-filters', async (target) => {
    for (const [why, path] of INVALID_QUERIES)
      expectError(await target.read(`${API}${path}`), 400, 'invalid_query', why);
    return `${INVALID_QUERIES.length} kinds: 400 invalid_query`;
  }),
  rule('unknown-parameter-rejected', 'docs/services.md#query-strings', async (target) => {
    const reads = target.operations.filter(({ method }) => method === 'GET');
    for (const { path } of reads) {
      const response = await target.read(`${path.replace(/\{[^}]+\}/, UNKNOWN_ID)}?no_such_parameter=1`);
      expectError(response, 400, 'invalid_query', 'an unknown parameter');
      expectThat(
        response.text.includes('no_such_parameter'),
        `the message of ${summaryOf(response)} does not name the parameter: ${response.text}`,
      );
    }
    return `${reads.length} routes: 400 invalid_query with the parameter's name`;
  }),
  rule('repeated-parameters-rejected', 'docs/services.md#query-strings', async (target) => {
    await expectInvalid(target, [
      'from=2026-01-01T00:00:00Z&from=2026-01-02T00:00:00Z',
      'customer_id=1&customer_id=1',
      'customer_id[]=1',
      'customer_id[x]=1',
      'workspace_id=',
    ]);
    return 'repeated, nested and empty: 400';
  }),
  rule('integers-are-decimal-digits', 'docs/services.md#integers', async (target) => {
    await expectInvalid(
      target,
      INVALID_INTEGERS.map((value) => query({ workspace_id: value })),
    );
    const huge = await readOk(target, '/alerts/?customer_id=99999999999999999999');
    expectThat(
      huge.alerts.length === 0 && huge.total_size === 0,
      'an id above the integer range matches something',
    );
    return `${INVALID_INTEGERS.length} forms: 400; above 2^31: no match`;
  }),
  rule('timestamps-are-rfc-3339', 'docs/services.md#timestamps', async (target) => {
    await expectInvalid(
      target,
      INVALID_TIMESTAMPS.map((value) => query({ from: value })),
    );
    for (const value of ['2026-11-01T00:00:00Z', '2026-11-01T05:30:00.123+05:30'])
      await readOk(target, `/alerts:summary?${query({ from: value })}`);
    return `${INVALID_TIMESTAMPS.length} forms: 400; Z and an offset: 200`;
  }),
  rule('invalid-cursor-rejected', 'docs/fleet-api.md#pagination', async (target) => {
    for (const token of ['nonsense', '', 'e30', 'A'.repeat(2000)]) {
      const response = await target.read(`${API}/alerts/?page_token=${token}`);
      expectError(response, 400, 'invalid_cursor', `page_token "${token.slice(0, 20)}"`);
    }
    const page = await readOk(target, '/alerts/?page_size=1');
    const { next_page_token: token } = page;
    if (token === undefined) return 'malformed: 400 (no second page, so no token to change)';
    for (const [why, parameters] of [
      ['with another sort', query({ page_token: token, sort: 'type' })],
      ['with another filter', query({ page_token: token, 'filter[state][equals]': 'ignored' })],
      ['with another scope', query({ page_token: token, customer_id: 1 })],
      ['truncated', query({ page_token: token.slice(0, -3) })],
      [
        'with a letter changed',
        query({ page_token: `${token.startsWith('A') ? 'B' : 'A'}${token.slice(1)}` }),
      ],
    ] as const)
      expectError(await target.read(`${API}/alerts/?${parameters}`), 400, 'invalid_cursor', why);
    return 'malformed, modified and of another query: 400 invalid_cursor';
  }),
  rule('unknown-id-is-404', 'docs/fleet-api.md#errors', async (target) => {
    const gpus = await someGpus(target);
    const address = gpus.find(({ pcie_address }) => pcie_address !== '')?.pcie_address;
    if (address === undefined) throw new Skipped('needs a GPU with a PCIe address');
    for (const path of [
      `/alerts/${UNKNOWN_ID}`,
      `/alerts/${UNKNOWN_ID}/timeline`,
      '/gpus/GPU-no-such',
      `/gpus/${encodeURIComponent(address)}`,
    ])
      expectError(await target.read(`${API}${path}`), 404, 'not_found', 'an unknown id');
    return 'alerts, timelines, GPUs, the PCIe address of a GPU: 404 not_found';
  }),
  rule('inaccessible-scope-is-empty', 'docs/fleet-api.md#scope-filters', async (target) => {
    await someAlerts(target);
    await someGpus(target);
    for (const name of ['customer_id', 'workspace_id', 'api_key_id']) {
      const { alerts, total_size } = await readOk(target, `/alerts/?${name}=2147483647`);
      expectThat(alerts.length === 0 && total_size === 0, `${name}=2147483647 shows ${total_size} alerts`);
      const { gpus } = await readOk(target, `/gpus?${name}=2147483647`);
      expectThat(gpus.length === 0, `${name}=2147483647 shows ${gpus.length} GPUs`);
      const { summary } = await readOk(target, `/alerts:summary?${name}=2147483647`);
      expectSame(Object.values(summary).flat(), [], `counts of the summary with ${name}=2147483647`);
      const { points } = await readOk(target, `/alerts:severityTrend?${name}=2147483647`);
      expectSame(points, [], `points of the trend with ${name}=2147483647`);
      const { metrics } = await readOk(target, `/metrics?${name}=2147483647`);
      for (const { label, value } of metrics.alerts_by_severity)
        expectSame(value, 0, `${label} alerts of the metrics with ${name}=2147483647`);
      expectSame(metrics.metrics_summary.gpu_count, 0, `gpu_count with ${name}=2147483647`);
    }
    return 'empty lists, counts of 0';
  }),
  rule('errors-are-not-cached', 'docs/fleet-api.md#errors', async (target) => {
    const response = await target.get(`${API}/alerts`);
    // RFC 9110, section 11.6.1
    expectHeader(response, 'www-authenticate', /^bearer/i);
    expectError(response, 401, 'unauthorized', 'no token');
    const invalid = await target.read(`${API}/alerts?page_size=0`);
    expectError(invalid, 400, 'invalid_query', 'page size 0');
    const unknown = await target.read(`${API}/alerts/${UNKNOWN_ID}`);
    expectError(unknown, 404, 'not_found', 'an unknown id');
    for (const error of [response, invalid, unknown]) expectHeader(error, 'cache-control', 'no-store');
    return '400, 401 and 404 no-store, 401 with WWW-Authenticate';
  }),
];

/** Checks that each list rejects each of the queries. */
async function expectInvalid(target: Target, queries: readonly string[]): Promise<void> {
  for (const list of LISTS) {
    for (const one of queries)
      expectError(await target.read(`${API}${list}?${one}`), 400, 'invalid_query', one);
  }
}

import type { Access } from '@gpu-observatory/domain-types';
import type { FrozenResponse } from '../exchange.ts';
import type { Scenario } from '../recorder.ts';

const API = '/api/v1';

/** Access of the callers. Customer 1 has the workspaces 1 to 3, customer 2 the workspaces 4 and 5. */
const CALLERS: Record<string, Access | null> = {
  administrator: [{ customer_id: 1, workspace_ids: 'all' }],
  analyst: [{ customer_id: 1, workspace_ids: [1] }],
  listed: [{ customer_id: 1, workspace_ids: [1, 3] }],
  other: [{ customer_id: 2, workspace_ids: 'all' }],
  both: [
    { customer_id: 1, workspace_ids: 'all' },
    { customer_id: 2, workspace_ids: [5] },
  ],
  outsider: [{ customer_id: 3, workspace_ids: 'all' }],
  anonymous: null,
};

interface FleetRequest {
  caller: string;
  path: string;
  method?: string;
  headers?: Record<string, string>;
  /** Pages to read, each with the token of the page before. */
  pages?: number;
  /** Whether to repeat the request with the entity tag of its response. */
  revalidate?: boolean;
}

const query = (parameters: Record<string, string | number>) =>
  `?${Object.entries(parameters)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .join('&')}`;
const filter = (field: string, operator: string, value: string) => ({
  [`filter[${field}][${operator}]`]: value,
});

const ENUM_FILTERS = [
  ...['critical', 'high', 'medium', 'low', 'info'].map((value) => filter('severity', 'equals', value)),
  filter('severity', 'in', 'critical,high'),
  filter('severity', 'in', 'info,critical,low'),
  filter('severity', 'notIn', 'info'),
  filter('severity', 'notIn', 'critical,high,medium,low'),
  filter('severity', 'notIn', 'critical,high,medium,low,info'),
  filter('severity', 'notEquals', 'medium'),
  filter('state', 'equals', 'active'),
  filter('state', 'in', 'active,ignored'),
  filter('state', 'notEquals', 'active'),
  filter('state', 'notIn', 'ignored'),
  filter('type', 'equals', 'gpu_usage'),
  filter('type', 'equals', 'model_poisoning'),
  filter('type', 'in', 'gpu_usage,gpu_memory,process_anomaly,cpu_anomaly'),
  filter('type', 'notIn', 'gpu_usage,gpu_thermal'),
  filter('type', 'notEquals', 'process_anomaly'),
];
const TEXT_FILTERS = [
  filter('hostname', 'equals', 'edge-1'),
  filter('hostname', 'equals', 'EDGE-10'),
  filter('hostname', 'notEquals', 'edge-1'),
  filter('hostname', 'contains', 'research'),
  filter('hostname', 'notContains', 'e'),
  filter('hostname', 'startsWith', 'ip-10'),
  filter('hostname', 'endsWith', '.internal'),
  filter('title', 'contains', '%'),
  filter('title', 'contains', '_tokens_'),
  filter('title', 'contains', 'STRASSE'),
  filter('title', 'contains', 'σίσυφος'),
  filter('title', 'contains', '警告'),
  filter('title', 'notContains', 'gpu'),
  filter('title', 'startsWith', '   spaces'),
  filter('title', 'endsWith', 'entities'),
  filter('title', 'equals', '100% of _TOKENS_ leaked'),
  filter('title', 'notEquals', '"quoted" <b>markup</b> & entities'),
  filter('description', 'contains', '\\'),
  filter('description', 'contains', 'Istanbul'),
  filter('description', 'contains', 'a'),
  filter('description', 'notContains', 'the'),
  filter('description', 'startsWith', 'tab\tand'),
  filter('description', 'endsWith', '--'),
  filter('description', 'equals', 'naïve NAÏVE'),
  filter('description', 'contains', 'x'.repeat(4_000)),
  filter('description', 'notContains', 'x'.repeat(4_000)),
];
const COMBINED_FILTERS = [
  { ...filter('severity', 'in', 'critical,high'), ...filter('state', 'equals', 'active') },
  { ...filter('severity', 'equals', 'high'), ...filter('type', 'notEquals', 'gpu_usage') },
  { ...filter('severity', 'in', 'high,critical'), ...filter('severity', 'notEquals', 'critical') },
  { ...filter('title', 'contains', 'gpu'), ...filter('severity', 'notIn', 'info') },
  { ...filter('hostname', 'contains', 'research'), ...filter('title', 'notContains', 'cache') },
  {
    ...filter('type', 'in', 'gpu_usage,gpu_memory,gpu_thermal'),
    ...filter('state', 'equals', 'active'),
    ...filter('severity', 'notEquals', 'low'),
  },
  filter('timestamp', 'gte', '2026-11-19T08:00:00Z'),
  filter('timestamp', 'lte', '2026-11-15T00:00:00.000+02:00'),
  {
    ...filter('timestamp', 'gte', '2026-11-12T00:00:00Z'),
    ...filter('timestamp', 'lte', '2026-11-18T23:59:59.999Z'),
    ...filter('severity', 'equals', 'medium'),
  },
];
const SELECTIONS: Record<string, string>[] = [{}, ...ENUM_FILTERS, ...TEXT_FILTERS, ...COMBINED_FILTERS];
const WINDOWS: Record<string, string>[] = [
  { from: '2026-11-18T00:00:00Z' },
  { to: '2026-11-15T12:34:56.789Z' },
  { from: '2026-11-19T08:00:00Z', to: '2026-11-19T08:00:00.001Z' },
  { from: '2026-11-12T03:07:00Z', to: '2026-11-19T21:43:00Z' },
  { from: '2026-11-17T00:00:00Z', to: '2026-11-20T00:00:00Z' },
  { from: '2026-11-16T23:59:59Z', to: '2026-11-20T00:00:00Z' },
  { from: '2026-11-15T00:00:00Z', to: '2026-11-15T00:00:00Z' },
  { from: '2020-01-01T00:00:00Z', to: '2020-02-01T00:00:00Z' },
  { from: '2026-11-20T10:00:00+05:30' },
];
const SCOPES: Record<string, number>[] = [
  { customer_id: 1 },
  { customer_id: 2 },
  { workspace_id: 1 },
  { workspace_id: 5 },
  { api_key_id: 3 },
  { customer_id: 1, workspace_id: 3 },
  { customer_id: 2, workspace_id: 1 },
  { workspace_id: 1, api_key_id: 2 },
  { customer_id: 999_999_999_999 },
];
const SORTS = ['timestamp', 'severity', 'type', 'state', 'hostname'].flatMap((sort) => [sort, `-${sort}`]);

/** Rejected query strings, by path. */
const INVALID_QUERIES: [path: string, queries: string[]][] = [
  [
    '/alerts/',
    [
      ...['0', '-1', '1.5', '1e3', '0x10', '%201', '+1', '10001', 'abc', '', '1&page_size=2'].map(
        (value) => `page_size=${value}`,
      ),
      ...['title', 'Severity', '', '-', '--severity', 'severity,type'].map((value) => `sort=${value}`),
      ...['x', '', 'bm9uc2Vuc2U', 'a.b.c'].map((value) => `page_token=${value}`),
      ...['critical,', '', 'fatal', 'critical,fatal', 'CRITICAL'].map(
        (value) => `filter[severity][in]=${value}`,
      ),
      'filter[severity]=critical',
      'filter[severity][contains]=crit',
      'filter[pid][equals]=1',
      'filter[title][like]=a',
      'filter[title][contains]=',
      'filter[title][contains]=%00',
      'filter[title][contains]=%ff',
      'filter[timestamp][gte]=2026-11-20',
      'filter[timestamp][gte]=2026-11-20T00:00:00+02:00',
      'filter[timestamp][equals]=2026-11-20T00:00:00Z',
      'filter[severity][in][]=critical',
      'limit=5',
      'from=yesterday',
      'from=2026-13-01T00:00:00Z',
      'from=2026-11-20T00:00:00',
      'from=2026-11-20T00:00:00Z&to=2026-11-19T00:00:00Z',
      'customer_id=0',
      'workspace_id=-1',
      'workspace_id=1,2',
      'api_key_id=abc',
      'customer_id[]=1',
      '%E0%A4%A',
    ],
  ],
  ['/alerts:summary', ['sort=severity', 'page_size=5', 'page_token=x', 'filter[severity][in]=fatal', 'x']],
  ['/alerts:severityTrend', ['sort=severity', 'page_size=5', 'bucket=hour', 'to=x']],
  ['/gpus', ['page_size=0', 'page_size=100001', 'view=wide', 'view=', 'health=critical', 'sort=x', 'from=1']],
  ['/metrics', ['page_size=5', 'from=x', 'from=2026-11-20T00:00:00Z&to=2026-11-19T00:00:00Z', 'view=basic']],
  ['/alerts/not-a-uuid', ['']],
  ['/alerts/00000000-0000-4000-8000-000000000100', ['fields=id', 'from=2026-11-20T00:00:00Z']],
  ['/alerts/00000000-0000-4000-8000-000000000100/timeline', ['page_size=5']],
  ['/gpus/GPU-69b2794f-6e9e-43e1-949c-5a3e7a72becf', ['view=basic']],
];

/** Lists, with parameters that each accepts. */
const LISTS: [path: string, queries: string[]][] = [
  [
    '/alerts:search',
    ['?q=gpu&page_size=5', '?q=%E8%AD%A6%E5%91%8A', '?q=100%25%20of&sort=-hostname', '?q=no%20such%20text'],
  ],
  [
    '/alerts:groups',
    ['', '?group_by=workspace', '?group_by=gpu', '?group_by=day', '?group_by=type&page_size=2', '?q=gpu'],
  ],
  [
    '/hosts',
    ['', '?page_size=3', '?sort=name', '?health=critical,missing', '?from=2026-11-18T00:00:00Z&page_size=2'],
  ],
  ['/gpu-status', ['', '?page_size=4', '?sort=hottest', '?sort=idle&idle=true', '?health=healthy&sort=name']],
  ['/fleet-usage', ['', '?group_by=model', '?group_by=host&sort=missing&page_size=3', '?sort=name']],
  [
    '/xid-incidents',
    ['', '?from=2026-11-01T00:00:00Z&page_size=3', '?code=79,31', '?group_by=host', '?group_by=code'],
  ],
];
const REJECTED_LISTS = [
  '/alerts:search',
  '/alerts:search?q=',
  '/alerts:groups?group_by=color',
  '/hosts?health=fine',
  '/hosts?page_size=1001',
  '/gpu-status?sort=name,worst',
  '/gpu-status?idle=yes',
  '/fleet-usage?group_by=gpu',
  '/xid-incidents?code=x',
  '/xid-incidents?page_token=x',
  '/gpu-history/no-such-gpu',
  '/hosts/no-such-host',
];
const CSV = 'text/csv';
const NDJSON = 'application/x-ndjson';
const EXPORTS = [
  '/alerts/',
  '/alerts/?sort=severity&filter[severity][in]=critical,high',
  '/alerts/?page_size=3',
  '/alerts:search?q=gpu',
  '/gpus',
  '/gpus?view=basic&page_size=3',
  '/gpu-status?sort=name',
  '/hosts',
  '/xid-incidents?from=2026-11-01T00:00:00Z',
  '/xid-incidents?group_by=day',
];

/** Returns the requests for lists that newer pages of the console read, and for exports. */
function listRequests(): FleetRequest[] {
  const requests: FleetRequest[] = [];
  for (const [path, queries] of LISTS)
    for (const caller of ['administrator', 'listed', 'both', 'outsider'])
      for (const text of queries)
        requests.push({ caller, path: `${path}${text}`, revalidate: text === '' && caller === 'both' });
  for (const path of REJECTED_LISTS) requests.push({ caller: 'administrator', path });
  for (const path of EXPORTS)
    for (const caller of ['administrator', 'listed', 'both', 'outsider'])
      for (const accept of [CSV, NDJSON])
        requests.push({ caller, path, headers: { accept }, revalidate: caller === 'both' });
  for (const accept of [
    `${CSV}, */*`,
    `${CSV}, */*;q=0.9`,
    `${NDJSON}, application/json`,
    `${NDJSON}, application/json;q=0.9`,
    `${CSV};q=0.8, ${NDJSON};q=0.9`,
    `${CSV};q=0`,
    `${CSV};q=1.5`,
    'text/*',
  ])
    requests.push({ caller: 'administrator', path: '/alerts/?page_size=2', headers: { accept } });
  for (const coding of ['br', 'gzip'])
    requests.push({
      caller: 'administrator',
      path: '/alerts/',
      headers: { accept: CSV, 'accept-encoding': coding },
      revalidate: true,
    });
  for (const path of ['/alerts/?page_size=0', '/alerts/?page_token=x', '/alerts:summary', '/metrics'])
    requests.push({ caller: 'administrator', path, headers: { accept: CSV } });
  requests.push({ caller: 'administrator', path: '/alerts/', method: 'HEAD', headers: { accept: CSV } });
  requests.push({ caller: 'anonymous', path: '/alerts/', headers: { accept: CSV } });
  return requests;
}

/** Returns the requests that need no response of another one. */
function staticRequests(): FleetRequest[] {
  const requests: FleetRequest[] = [];
  const add = (caller: string, path: string, more: Omit<FleetRequest, 'caller' | 'path'> = {}) =>
    requests.push({ caller, path, ...more });

  for (const caller of ['administrator', 'listed', 'both'])
    for (const selection of SELECTIONS) {
      add(caller, `/alerts/${query({ page_size: 5, ...selection })}`, { pages: 2 });
      add(caller, `/alerts:summary${query(selection)}`);
      add(caller, `/alerts:severityTrend${query(selection)}`);
    }
  for (const sort of SORTS) {
    for (const selection of [
      {},
      ENUM_FILTERS[5]!,
      ENUM_FILTERS[17]!,
      TEXT_FILTERS[19]!,
      COMBINED_FILTERS[0]!,
    ])
      add('administrator', `/alerts/${query({ sort, page_size: 7, ...selection })}`, { pages: 3 });
    for (const caller of ['analyst', 'listed', 'both', 'other'])
      add(caller, `/alerts/${query({ sort, page_size: 40 })}`, { pages: 3 });
  }
  for (const caller of ['administrator', 'analyst', 'both', 'outsider'])
    for (const scope of SCOPES)
      for (const path of ['/alerts/', '/alerts:summary', '/alerts:severityTrend', '/gpus', '/metrics'])
        add(caller, `${path}${query({ ...(path === '/alerts/' && { page_size: 3 }), ...scope })}`);
  for (const window of WINDOWS) {
    for (const caller of ['administrator', 'listed', 'both'])
      for (const path of ['/alerts:summary', '/alerts:severityTrend', '/gpus', '/metrics'])
        add(caller, `${path}${query(window)}`);
    for (const caller of ['administrator', 'both'])
      add(caller, `/alerts/${query({ page_size: 4, sort: 'severity', ...window })}`, { pages: 2 });
  }
  for (const caller of Object.keys(CALLERS)) {
    for (const path of [
      '/alerts/',
      '/alerts',
      '/alerts:summary/',
      '/alerts:severityTrend',
      '/gpus',
      '/gpus/',
      '/metrics',
    ])
      add(caller, path, { revalidate: true });
    for (const path of ['/gpus?view=basic', '/gpus?page_size=3', '/gpus?view=basic&page_size=100000'])
      add(caller, path);
  }
  for (const [path, queries] of INVALID_QUERIES)
    for (const text of queries) add('administrator', text === '' ? path : `${path}?${text}`);
  for (const path of ['/alerts%3Asummary', '/alerts%3aseverityTrend/', '/alerts/#page_size=1', '/gpus#x'])
    add('administrator', path);
  for (const path of ['/', '/unknown', '/alerts/x/y', '/alerts:unknown', '/GPUS'])
    for (const method of ['GET', 'POST', 'DELETE']) add('administrator', path, { method });
  for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS', 'HEAD'])
    for (const path of ['/alerts/?page_size=2', '/gpus', '/metrics']) add('administrator', path, { method });
  for (const origin of ['https://console.example', 'https://evil.example', 'null'])
    for (const method of ['GET', 'OPTIONS'])
      add('administrator', '/alerts:summary', {
        method,
        headers: { origin, ...(method === 'OPTIONS' && { 'access-control-request-method': 'GET' }) },
      });
  for (const authorization of ['Bearer', 'Bearer x', 'Bearer a.b.c', 'Basic eDp5', 'bearer  x', ''])
    for (const path of ['/alerts/', '/gpus/x', '/metrics'])
      add('anonymous', path, { headers: { authorization } });
  for (const accept of ['text/html', 'application/json;q=0', '*/*'])
    add('administrator', '/alerts:summary', { headers: { accept } });
  return requests;
}

/** Requests details of alerts and GPUs that lists contain, then everything else. */
export const fleetScenario: Scenario = async ({ issuer }, recorder) => {
  const tokens: Record<string, Record<string, string>> = {};
  for (const [name, access] of Object.entries(CALLERS))
    tokens[name] = access === null ? {} : await issuer.headers(access);
  const send = ({ caller, path, method = 'GET', headers = {} }: FleetRequest, label = path) => {
    const shown = Object.entries(headers).map(([name, value]) => ` ${name}: ${value}`);
    return recorder.send(`${method} ${label} as ${caller}${shown.join('')}`, 'fleet-api', {
      method,
      target: `${API}${path}`,
      headers: { ...tokens[caller], ...headers },
    });
  };

  for (const path of await detailPaths(send))
    for (const caller of ['administrator', 'analyst', 'both', 'other'])
      if (recorder.isIncluded()) await send({ caller, path });
  for (const request of [...staticRequests(), ...listRequests()]) {
    if (!recorder.isIncluded()) continue;
    const first = await send(request);
    if (request.revalidate) {
      const tag = String(first.headers['etag'] ?? '"none"');
      for (const [label, value] of Object.entries({ same: tag, other: '"x"', any: '*', list: `"x", ${tag}` }))
        await send(
          { ...request, headers: { ...request.headers, 'if-none-match': value } },
          `${request.path} if-none-match ${label}`,
        );
    }
    let page = first;
    for (let number = 2; number <= (request.pages ?? 1); number += 1) {
      const { next_page_token: token } = JSON.parse(page.body) as { next_page_token?: string };
      if (token === undefined) break;
      page = await send(
        { ...request, path: `${request.path}&page_token=${token}` },
        `${request.path} page ${number}`,
      );
    }
  }
};

/** Returns the paths of some alerts with their timelines, of every GPU and host, and of ids that do not exist. */
async function detailPaths(send: (request: FleetRequest) => Promise<FrozenResponse>): Promise<string[]> {
  const { alerts } = JSON.parse((await send({ caller: 'both', path: '/alerts/?page_size=200' })).body) as {
    alerts: { id: string }[];
  };
  const { gpus } = JSON.parse((await send({ caller: 'both', path: '/gpus' })).body) as {
    gpus: { gpu_id: string; hostname: string; pcie_address: string }[];
  };
  const ids = [
    ...alerts.filter((_, index) => index % 8 === 0).map(({ id }) => id),
    '00000000-0000-4000-8000-000000000100',
    '00000000-0000-4000-8000-999999999999',
  ];
  return [
    ...ids.flatMap((id) => [`/alerts/${id}`, `/alerts/${id.toUpperCase()}/timeline`]),
    ...gpus.map(({ gpu_id }) => `/gpus/${encodeURIComponent(gpu_id)}`),
    ...gpus.filter(({ gpu_id }) => gpu_id.includes('|')).map(({ gpu_id }) => `/gpus/${gpu_id}`),
    ...gpus.map(({ gpu_id }) => `/gpu-history/${encodeURIComponent(gpu_id)}`),
    ...[...new Set(gpus.map(({ hostname }) => hostname))].map((name) => `/hosts/${encodeURIComponent(name)}`),
    ...gpus.slice(0, 2).map(({ pcie_address }) => `/gpus/${encodeURIComponent(pcie_address)}`),
  ];
}

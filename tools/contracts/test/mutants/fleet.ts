import type { AlertPage, Gpu, Metrics, Schemas, Summary, Trend } from '../../src/rules/fleet/requests.ts';
import {
  changeBody,
  changeResponse,
  combine,
  ignoreHeader,
  type Mutant,
  type MutantsOfRule,
  redirect,
  rewritePath,
  setHeader,
  setStatus,
} from './mutant.ts';

const ALERTS = /^GET \/api\/v1\/alerts\/?(\?|$)/;
const DETAIL = /^GET \/api\/v1\/alerts\/[^/?]{36}$/;
const SUMMARY = /^GET \/api\/v1\/alerts:summary/;
const TREND = /^GET \/api\/v1\/alerts:severityTrend/;
const GPUS = /^GET \/api\/v1\/gpus(\?|$)/;
const METRICS = /^GET \/api\/v1\/metrics(\?|$)/;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const alerts = (change: (page: AlertPage, path: string) => unknown, matching = ALERTS): Mutant =>
  changeBody<AlertPage>(matching, (page, { path }) => change(page, path));
const summary = (change: (columns: Summary['summary']) => unknown): Mutant =>
  changeBody<Summary>(SUMMARY, (body) => void change(body.summary));
const trend = (change: (points: Trend['points']) => Trend['points']): Mutant =>
  changeBody<Trend>(TREND, ({ points }) => ({ points: change(points) }));
const metrics = (change: (all: Metrics) => unknown): Mutant =>
  changeBody<Schemas['MetricsModel']>(METRICS, (body) => void change(body.metrics));
const gpus = (change: (rows: Gpu[]) => Gpu[], matching = GPUS): Mutant =>
  changeBody<Schemas['GpuListModel']>(matching, (body) => ({ gpus: change(body.gpus) }));
const hosts = (change: (rows: Schemas['HostModel'][]) => unknown): Mutant =>
  changeBody<Schemas['HostListModel']>(/\/hosts\?page_size=1000$/, (body) => void change(body.hosts));
const groups = (change: (body: Schemas['AlertGroupsModel']) => unknown, matching = /alerts:groups/): Mutant =>
  changeBody<Schemas['AlertGroupsModel']>(matching, (body) => void change(body));
const usage = (change: (body: Schemas['FleetUsageModel']) => unknown, matching = /fleet-usage/): Mutant =>
  changeBody<Schemas['FleetUsageModel']>(matching, (body) => void change(body));
/** Ignores the value of the parameter, and the parameter with it. */
const ignoreParameter = (name: string) => rewritePath(new RegExp(`(?<=[?&])${name}=[^&]*(&|$)`));
/** Changes requests with this `Accept` only. */
const forExports =
  (type: string, mutant: Mutant): Mutant =>
  (request, send) =>
    request.headers['accept'] === type ? mutant(request, send) : send(request);
/** Changes successful exports of a type. */
const exported = (type: string, change: (text: string) => string): Mutant =>
  forExports(
    type,
    changeResponse(/./, (response) => {
      if (response.status === 200) response.text = change(response.text);
    }),
  );
/** Serves requests with this `Accept` as if it were another one. */
const acceptAs = (matching: (accept: string) => boolean, accept: string): Mutant =>
  redirect(/./, ({ headers }) => ({
    headers: { ...headers, ...(matching(String(headers['accept'])) && { accept }) },
  }));
const CSV = 'text/csv';
const NDJSON = 'application/x-ndjson';
const asIfEmpty = (page: AlertPage) => {
  Object.assign(page, { alerts: [], total_size: 0 });
  delete page.next_page_token;
};
const trendInBucketsOf = (grainMs: number) =>
  trend((points) => {
    const merged = new Map<string, Trend['points'][number]>();
    for (const point of points) {
      const time = Date.parse(point.bucket);
      const bucket = new Date(time - (time % grainMs)).toISOString();
      const key = `${bucket} ${point.severity}`;
      const count = (merged.get(key)?.count ?? 0) + point.count;
      merged.set(key, { bucket, severity: point.severity, count });
    }
    const ranks = ['critical', 'high', 'medium', 'low', 'info'];
    return [...merged.values()].sort(
      (a, b) =>
        Date.parse(a.bucket) - Date.parse(b.bucket) || ranks.indexOf(a.severity) - ranks.indexOf(b.severity),
    );
  });

export const fleetMutants: Record<string, MutantsOfRule> = {
  'invalid-query-rejected': {
    'ignores an unknown filter': ignoreParameter('filter\\[color\\]\\[equals\\]'),
    'has another code': changeResponse(/sort=color/, (response) => {
      response.text = response.text.replace('invalid_query', 'bad_request');
    }),
  },
  'unknown-parameter-rejected': {
    'ignores unknown parameters': ignoreParameter('no_such_parameter'),
    'does not name the parameter': changeResponse(/no_such_parameter/, (response) => {
      response.text = response.text.replaceAll('no_such_parameter', 'a parameter');
    }),
  },
  'repeated-parameters-rejected': {
    'takes the last value': rewritePath(/from=2026-01-01T00:00:00Z&(?=from)/),
    'takes one value of an array': rewritePath(/(?<=customer_id)\[\]/),
  },
  'integers-are-decimal-digits': {
    'accepts leading zeros': rewritePath(/(?<=workspace_id=)0(?=\d)/),
    'accepts a sign': rewritePath(/(?<=workspace_id=)%2B/),
    'ignores an id above the integer range': rewritePath(/customer_id=9{20}/),
  },
  'timestamps-are-rfc-3339': {
    'accepts a date': rewritePath(/(?<=from=2026-11-21)(?=$|&)/, 'T00:00:00Z'),
    'rejects an offset': setStatus(/%2B05%3A30/, 400),
  },
  'invalid-cursor-rejected': {
    'ignores an empty token': rewritePath(/page_token=$/),
    'accepts a token of another sort': ignoreParameter('sort'),
  },
  'unknown-id-is-404': {
    'returns an empty timeline for an unknown alert': setStatus(/00000000-.*timeline/, 200),
    'finds a GPU by its PCIe address': changeResponse(/\/gpus\/[^?]*%3A/, (response) => {
      response.status = 200;
    }),
  },
  'inaccessible-scope-is-empty': Object.fromEntries(
    [ALERTS, SUMMARY, TREND, GPUS, METRICS].map((matching) => [
      `ignores the scope of ${matching.source}`,
      redirect(matching, ({ path }) => ({ path: path.replace(/workspace_id=\d+/, 'workspace_id=10') })),
    ]),
  ),
  'errors-are-not-cached': {
    'lets 404 be cached': changeResponse(DETAIL, ({ headers, status }) => {
      if (status === 404) headers['cache-control'] = 'private, no-cache';
    }),
    'does not name the scheme': setHeader(ALERTS, 'www-authenticate', undefined),
  },
  'alert-timestamps': {
    'has seconds': alerts(({ alerts: rows }) =>
      rows.forEach((row) => (row.created_at = row.created_at.replace(/\.\d+/, ''))),
    ),
  },
  'newest-first-by-default': { 'lists the oldest first': alerts(({ alerts: rows }) => void rows.reverse()) },
  'sort-order': {
    'ignores sort': ignoreParameter('sort'),
    'returns no rows': alerts(asIfEmpty, /page_size=(1|500)&sort/),
    'sorts hostnames without regard to direction': rewritePath(/sort=-hostname/, 'sort=hostname'),
    'sorts each page by itself': rewritePath(/(?<=page_size=1&)sort=severity/, 'sort=-severity'),
  },
  'severity-sort-by-rank': {
    'sorts by name, in the summary too': combine(
      summary(({ severity }) => severity.sort((a, b) => (a.value < b.value ? -1 : 1))),
      rewritePath(/(?<=page_size=1&)sort=-severity/, 'filter[severity][equals]=medium'),
    ),
  },
  'pages-neither-overlap-nor-skip': {
    'repeats an alert': alerts(({ alerts: rows }) => {
      rows[rows.length - 1] = rows[0]!;
    }, /page_token=/),
    'skips an alert': alerts(({ alerts: rows }) => void rows.pop(), /page_token=/),
    'ends after one page': alerts((page) => delete page.next_page_token),
    'counts on later pages': alerts((page) => (page.total_size = 1), /page_token=/),
    'sorts later pages differently': alerts(({ alerts: rows }) => void rows.reverse(), /page_token=/),
  },
  'no-page-token-after-last-page': {
    'sends a token with a full page': alerts((page) => (page.next_page_token = 'more')),
  },
  'window-is-half-open': {
    'excludes from': alerts((page, path) => {
      const from = decodeURIComponent(/from=([^&]*)/.exec(path)?.[1] ?? '');
      page.alerts = page.alerts.filter(({ created_at }) => created_at !== from);
    }),
    'includes to': redirect(/to=/, ({ path }) => ({
      path: path.replace(/(?<=to=)[^&]*/, (to) =>
        new Date(Date.parse(decodeURIComponent(to)) + 1).toISOString(),
      ),
    })),
    'ignores from': ignoreParameter('from'),
    'ignores to': ignoreParameter('to'),
    'returns nothing with to': alerts(asIfEmpty, /[?&]to=/),
  },
  'filters-match': {
    'returns nothing for a filter': alerts(asIfEmpty, /filter/),
    'ignores notEquals': ignoreParameter('filter%5Bseverity%5D%5BnotEquals%5D'),
    'takes in as equals': redirect(/%5Bin%5D/, ({ path }) => ({ path: path.replace(/%2C[^&]*/, '') })),
    'returns one match only': alerts((page) => {
      Object.assign(page, { alerts: page.alerts.slice(0, 1), total_size: Math.min(1, page.alerts.length) });
    }, /filter/),
    'compares text with case': alerts((page, path) => {
      if (/=[^&]*[A-Z]{3}/.test(path)) asIfEmpty(page);
    }, /hostname/),
    'takes startsWith as endsWith': rewritePath(/startsWith/, 'endsWith'),
    'excludes an alert at gte': alerts(({ alerts: rows }) => void rows.shift(), /gte/),
  },
  'totals-agree': {
    'has no total_size': alerts((page) => (page.total_size = null), /^GET [^?]*\?(?!.*hostname)/),
    'counts an alert twice in the trend': trend(([point, ...points]) =>
      point ? [{ ...point, count: point.count + 1 }, ...points] : points,
    ),
    'counts nothing anywhere': combine(
      summary((columns) => Object.assign(columns, { severity: [], type: [], state: [] })),
      trend(() => []),
      alerts((page) => (page.total_size = 0), /page_size=1$/),
    ),
  },
  'summary-column-ignores-own-filter': Object.fromEntries(
    (['severity', 'type', 'state'] as const).map((column) => [
      `filters ${column} by ${column}`,
      changeBody<Summary>(new RegExp(`filter%5B${column}`), ({ summary: columns }) => {
        columns[column].pop();
      }),
    ]),
  ),
  'summary-order': {
    'orders severities by name': summary(({ severity }) => severity.reverse()),
    'orders types by name': summary(({ type }) => type.reverse()),
    'lists zero counts': summary(({ state }) => state.push({ value: 'ignored', count: 0 })),
    'lists nothing': summary((columns) => Object.assign(columns, { severity: [], type: [], state: [] })),
  },
  'trend-buckets': {
    'has days only': trendInBucketsOf(DAY_MS),
    'has hours in long windows': rewritePath(
      /from=[^&]*/,
      `from=${new Date(Date.now() - 2 * DAY_MS).toISOString()}`,
    ),
    'returns no points': trend(() => []),
    'lists zero counts': trend((points) => points.map((point) => ({ ...point, count: 0 }))),
    'lists the newest first': trend((points) => points.reverse()),
  },
  'detail-matches-list': {
    'has another title': changeBody<{ alert: { title: string } }>(DETAIL, ({ alert }) => {
      alert.title = 'another';
    }),
    'lacks the fields of the list': changeBody<{ alert: { id: string } }>(DETAIL, ({ alert: { id } }) => ({
      alert: { id },
    })),
  },
  'timeline-order': {
    'lists the newest event first': changeBody<Schemas['TimelineResponse']>(
      /timeline$/,
      ({ timeline_events }) => void timeline_events.reverse(),
    ),
  },
  'gpus-ordered-by-health': {
    'lists healthy GPUs first': gpus((rows) => rows.reverse()),
    'lists lost GPUs after the others that are missing': gpus((rows) => {
      const missing = rows.filter(({ health }) => health === 'missing').reverse();
      return rows.map((row) => (row.health === 'missing' ? missing.shift()! : row));
    }),
  },
  'basic-view-omits-series': {
    'ignores the view': rewritePath(/&view=basic/),
    'omits the series in the full view too': gpus(
      (rows) => rows.map(({ utilization_series: _omitted, ...row }) => row),
      /page_size=50$/,
    ),
    'omits another field': gpus(
      (rows) =>
        rows.map(({ ...row }) => {
          delete (row as Partial<Gpu>).vendor;
          return row;
        }),
      /page_size=50&view=basic/,
    ),
    'returns no rows': gpus(() => [], /page_size=50/),
  },
  'gpu-page-size-limits': {
    'ignores the limit': ignoreParameter('page_size'),
    'accepts more than the maximum': rewritePath(/page_size=100001/, 'page_size=100000'),
    'accepts zero': rewritePath(/page_size=0/, 'page_size=1'),
    'rejects the maximum': setStatus(/page_size=100000$/, 400),
    'returns one row always': gpus((rows) => rows.slice(0, 1), /page_size=(?!1000$)/),
  },
  'gpu-by-id': {
    'returns another GPU': changeBody<{ gpu: Gpu }>(/\/gpus\/[^?]/, ({ gpu }) => {
      gpu.gpu_id = 'another';
    }),
    'finds no raw composite id': setStatus(/\/gpus\/[^?]*\|/, 404),
  },
  'hosts-ordered-by-health': {
    'lists healthy hosts first': hosts((rows) => rows.reverse()),
    'counts a GPU twice': hosts((rows) => rows.forEach((row) => (row.gpu_count += 1))),
    'has no instruction': hosts((rows) =>
      rows.forEach(({ reason }) => {
        if (reason !== null) reason.action = '';
      }),
    ),
    'ignores the sort': ignoreParameter('sort'),
  },
  'host-by-name': {
    'lacks a GPU': changeBody<{ host: { gpus: object[] } }>(/\/hosts\/[^?]/, ({ host }) => {
      host.gpus.pop();
    }),
    'finds an unknown host': setStatus(/\/hosts\/no-such-host/, 200),
  },
  'gpu-status-filtered-and-sorted': {
    'ignores the health': ignoreParameter('health'),
    'ignores the host': ignoreParameter('hostname'),
    'ignores the sort': ignoreParameter('sort'),
    'lists healthy GPUs first': gpus((rows) => rows.reverse(), /\/gpu-status\?page_size=1000$/),
  },
  'gpu-history-in-even-steps': {
    'lacks the step of a gap': changeBody<Schemas['GpuHistoryModel']>(/gpu-history/, ({ readings }) => {
      readings.at.pop();
    }),
    'lacks a reading': changeBody<Schemas['GpuHistoryModel']>(/gpu-history/, ({ readings }) => {
      readings.temperature_c.pop();
    }),
    'finds no raw composite id': setStatus(/\/gpu-history\/[^?]*\|/, 404),
  },
  'search-finds-each-text': {
    'ignores q': ignoreParameter('q'),
    'finds nothing': alerts(asIfEmpty, /alerts:search/),
    'compares with case': rewritePath(/alerts:search\?q=/, 'alerts:search?q=%20%20'),
  },
  'groups-add-up': {
    'counts one too many': groups((body) => (body.total += 1), /group_by=type/),
    'lists the fewest first': groups((body) => void body.groups.reverse(), /group_by=type/),
    'lists the oldest day first': groups((body) => void body.groups.reverse(), /group_by=day/),
    'omits a severity': groups((body) => {
      for (const group of body.groups) group.by_severity.critical = 0;
    }),
    'omits a group': groups((body) => {
      body.groups.pop();
      body.group_count -= 1;
    }, /group_by=host/),
    'swaps the times': groups((body) => {
      for (const group of body.groups) group.first_at = '9999-01-01T00:00:00.000Z';
    }),
  },
  'usage-adds-up': {
    'has another window': usage((body) => (body.to = body.from)),
    'counts the GPUs of one group only': usage((body) => (body.total.gpu_count -= 1), /group_by=host/),
    'adds hours': usage((body) => (body.total.missing_gpu_hours += 10_000)),
    'omits a group': usage((body) => {
      body.groups.pop();
      body.group_count -= 1;
    }),
    'lists the fewest idle hours first': usage((body) => void body.groups.reverse(), /group_by=host/),
  },
  'xid-incidents-filtered-and-counted': {
    'ignores the code': ignoreParameter('code'),
    'ignores the host': ignoreParameter('hostname'),
    'lists the oldest first': changeBody<Schemas['XidIncidentListModel']>(
      /xid-incidents/,
      ({ incidents }) => {
        incidents?.reverse();
      },
    ),
    'counts too many': changeBody<Schemas['XidIncidentListModel']>(/group_by/, (body) => {
      for (const group of body.groups ?? []) group.incidents += 1;
    }),
  },
  'metrics-by-severity-in-rank-order': {
    'orders severities by count': metrics(({ alerts_by_severity }) => alerts_by_severity.reverse()),
  },
  'metrics-top-types-at-most-three': {
    'lists every type': metrics(({ top_alert_types }) => top_alert_types.push(...top_alert_types)),
    'lists the rarest first': metrics(({ top_alert_types }) => top_alert_types.reverse()),
    'lists no type': metrics((all) => (all.top_alert_types = [])),
  },
  'metrics-window': {
    'counts nothing': metrics(({ alerts_by_severity }) =>
      alerts_by_severity.forEach((severity) => (severity.value = 0)),
    ),
    'ignores the window': rewritePath(/(?<=metrics)\?.*/),
    'covers a week by default': redirect(/metrics$/, ({ path }) => ({
      path: `${path}?from=${new Date(Date.now() - 7 * DAY_MS).toISOString()}`,
    })),
  },
  'data-as-of': {
    'lacks the header on one route': setHeader(METRICS, 'x-data-as-of', undefined),
    'has the header without milliseconds': changeResponse(GPUS, ({ headers }) => {
      headers['x-data-as-of'] = '2026-11-21T00:00:00Z';
    }),
  },
  'unchanged-is-304': {
    'ignores If-None-Match': ignoreHeader(/metrics/, 'if-none-match'),
    'returns 304 for any ETag': changeResponse(SUMMARY, (response, request) => {
      if (request.headers['if-none-match'] === undefined) return;
      Object.assign(response, { status: 304, text: '' });
    }),
    'sends a body with 304': changeResponse(/timeline/, (response) => {
      if (response.status === 304) response.text = '{}';
    }),
    'has no ETag': setHeader(TREND, 'etag', undefined),
  },
  'responses-are-private': {
    'lets shared caches store one route': setHeader(METRICS, 'cache-control', 'public, max-age=60'),
  },
  'exports-have-the-rows-of-the-page': {
    'lacks the last row of NDJSON': exported(NDJSON, (text) => text.replace(/[^\n]*\n$/, '')),
    'cuts off the last row of NDJSON': exported(NDJSON, (text) => text.slice(0, -1)),
    'lacks the last row of a CSV': exported(CSV, (text) => text.replace(/[^\n]*\r\n$/, '')),
    'has no header': exported(CSV, (text) => text.replace(/^.*\r\n/, '')),
    'lacks a column': exported(CSV, (text) => text.replace(/^.*?,/, '').replace(/(?<=\r\n).*?,/g, '')),
    'swaps two columns': exported(CSV, (text) => text.replace(/^([^,]*),([^,\r]*)/, '$2,$1')),
    'separates cells by semicolons': exported(CSV, (text) => text.replaceAll(',', ';')),
    'ends rows with a line feed': exported(CSV, (text) => text.replaceAll('\r\n', '\n')),
    'has another type': forExports(CSV, setHeader(/hosts/, 'content-type', 'text/plain; charset=utf-8')),
    'has no Vary': setHeader(/xid-incidents/, 'vary', undefined),
    'ignores parameters of an export': forExports(NDJSON, rewritePath(/(?<=gpus.*)&view=basic/)),
  },
  'export-has-all-rows': {
    'has one page': forExports(NDJSON, rewritePath(/$/, '&page_size=1')),
  },
  'export-type-by-quality': {
    'ignores Accept': ignoreHeader(ALERTS, 'accept'),
    'returns an export for a wildcard': acceptAs((accept) => accept === '*/*', CSV),
    'prefers an export to JSON': acceptAs((accept) => accept.startsWith(`${NDJSON}, app`), NDJSON),
    'ignores q-values': acceptAs((accept) => accept.endsWith('json;q=0.9'), 'application/json'),
    'accepts q-values above 1': acceptAs((accept) => accept.endsWith('q=1.5'), CSV),
    'never varies by Accept': setHeader(ALERTS, 'vary', undefined),
    'always varies by Accept': setHeader(ALERTS, 'vary', 'Accept'),
  },
  'export-types-have-own-etags': {
    'has one ETag for all types': redirect(ALERTS, ({ headers }) => ({
      headers: { ...headers, ...('if-none-match' in headers && { 'if-none-match': '*' }) },
    })),
    'ignores If-None-Match of an export': forExports(CSV, ignoreHeader(ALERTS, 'if-none-match')),
  },
  'export-errors-are-json': {
    'returns errors as CSV': changeResponse(/./, (response) => {
      if (response.status < 400) return;
      response.headers['content-type'] = `${CSV}; charset=utf-8`;
      response.text = 'error,message\r\n';
    }),
    'has another type': changeResponse(/./, ({ status, headers }, request) => {
      if (status >= 400) headers['content-type'] = String(request.headers['accept']);
    }),
  },
};

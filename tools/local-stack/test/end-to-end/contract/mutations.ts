import type { ServiceName } from '@gpu-observatory/contracts';
import { type Mutation, body, header, status, text } from './mutating-deployment.ts';

type Row = Record<string, unknown>;
const rows = (value: unknown) => value as Row[];

const ANY = /^/;

const everyService: Record<string, Mutation> = {
  'document-is-served': body(/^\/openapi\.json/, ({ paths }) => {
    delete (paths as Row)[Object.keys(paths as Row)[0]!];
  }),
  'document-page-is-served': status(/^\/docs/, 500),
  'request-id-echoed': header(ANY, 'x-request-id', 'always-the-same'),
  'trailing-slash-is-ignored': status(/\/$/, 301),
  'internal-paths-are-not-public': status(/^\/readyz/, 200),
  'rate-limit-headers': (response) => {
    Object.assign(response.headers, {
      'ratelimit-limit': '5',
      'ratelimit-remaining': '6',
      'ratelimit-reset': '1',
    });
  },
};

const withTokens: Record<string, Mutation> = {
  'cors-for-other-origins': (response, request) => {
    if (request.headers.origin !== undefined)
      response.headers['access-control-allow-origin'] = String(request.headers.origin);
  },
  'cors-for-allowed-origin': header(ANY, 'vary'),
  'unknown-path-and-method': text(/no-such/, () => '{"error":"not_found","message":"No."}'),
  'invalid-tokens-rejected': (response, request) => {
    if (String(request.headers.authorization).endsWith('.')) response.status = 200;
  },
  'no-token-in-query': status(/access_token=/, 200),
};

let firstAlert: unknown;
let seenPage: unknown;

export const mutations: Record<ServiceName, Record<string, Mutation>> = {
  fleet: {
    ...everyService,
    ...withTokens,
    'invalid-query-rejected': status(/view=wide/, 200),
    'unknown-parameter-rejected': text(
      /timeline\?no_such/,
      () => '{"error":"invalid_query","message":"No."}',
    ),
    'repeated-parameters-rejected': status(/customer_id=1&customer_id=1/, 200),
    'integers-are-decimal-digits': status(/workspace_id=%2B1/, 200),
    'timestamps-are-rfc-3339': status(/from=2026-11-21$/, 200),
    'invalid-cursor-rejected': text(/page_token=e30/, () => '{"error":"invalid_query","message":"No."}'),
    'unknown-id-is-404': status(/\/gpus\/00000000:3B/, 200),
    'inaccessible-scope-is-empty': body(/\/gpus\?workspace_id=2147483647/, ({ gpus }) => rows(gpus).push({})),
    'errors-are-not-cached': header(ANY, 'cache-control', 'max-age=60'),
    'alert-fields': body(/\/alerts\/\?/, ({ alerts }) => {
      delete rows(alerts)[0]!.gpu_serial;
    }),
    'newest-first-by-default': body(/page_size=200/, ({ alerts }) => void rows(alerts).reverse()),
    'sort-order': body(/sort=-hostname/, ({ alerts }) => void rows(alerts).reverse()),
    'severity-sort-by-rank': body(/sort=severity/, ({ alerts }) => {
      rows(alerts)[0]!.severity = 'info';
    }),
    'pages-neither-overlap-nor-skip': body(/\/alerts\//, ({ alerts }, { path }) => {
      if (!path.includes('page_token')) seenPage = rows(alerts)[0];
      else rows(alerts)[0] = seenPage as Row;
    }),
    'no-page-token-after-last-page': body(/from=2000/, (page) => ({ ...page, next_page_token: 'more' })),
    'window-is-half-open': body(/\/alerts\//, ({ alerts }, { path }) => {
      if (path.includes('page_size=200')) firstAlert = rows(alerts).at(-1);
      else if (path.includes('?to=')) rows(alerts).push(firstAlert as Row);
    }),
    'filters-match': body(/\[notEquals\]/, ({ alerts }, { path }) => {
      rows(alerts)[0]!.severity = new URL(path, 'http://any').searchParams.get('filter[severity][notEquals]');
    }),
    'totals-agree': body(/severityTrend/, ({ points }) => {
      rows(points)[0]!.count = Number(rows(points)[0]!.count) + 1;
    }),
    'summary-column-ignores-own-filter': body(/summary\?.*critical/, ({ summary }) => {
      (summary as Row).severity = [];
    }),
    'summary-order': body(/summary/, ({ summary }) => void rows((summary as Row).type).reverse()),
    'trend-buckets': body(/severityTrend/, ({ points }) => {
      rows(points)[0]!.bucket = '2026-11-20T10:30:00.000Z';
    }),
    'alert-detail-fields': body(/\/alerts\/[0-9a-f]{8}-/, ({ alert }) => {
      (alert as Row).host_id = null;
    }),
    'resource-detail-sections': body(/\/alerts\/[0-9a-f]{8}-/, ({ alert }) => {
      delete ((alert as Row).resource_details as Row).container_details;
    }),
    'detail-matches-list': body(/\/alerts\/[0-9a-f]{8}-/, ({ alert }) => {
      (alert as Row).title = 'Another';
    }),
    'timeline-order-and-fields': body(/timeline/, ({ timeline_events }) => {
      for (const event of rows(timeline_events)) event.comm = null;
    }),
    'gpus-ordered-by-health': body(/page_size=1000/, ({ gpus }) => void rows(gpus).reverse()),
    'basic-view-omits-series': body(/page_size=50&view=basic/, ({ gpus }) => {
      rows(gpus)[0]!.utilization_series = [];
    }),
    'gpu-page-size-limits': body(/page_size=1$/, ({ gpus }) => rows(gpus).push({})),
    'gpu-by-id': status(/%7C/, 404),
    'gpu-detail-fields': body(/\/gpus\/./, ({ gpu }) => {
      delete ((gpu as Row).telemetry as Row).fan_pct;
    }),
    'metrics-keys': body(/\/metrics/, ({ metrics }) => {
      delete ((metrics as Row).metrics_summary as Row).avg_fork_rate;
    }),
    'metrics-by-severity-in-rank-order': body(
      /\/metrics/,
      ({ metrics }) => void rows((metrics as Row).alerts_by_severity).reverse(),
    ),
    'metrics-top-types-at-most-three': body(/\/metrics/, ({ metrics }) => {
      (metrics as Row).top_alert_types = [1, 2, 3, 4].map((count) => ({ icon: '', title: '', count }));
    }),
    'metrics-window': body(/\/metrics.*2001/, ({ metrics }) => {
      rows((metrics as Row).alerts_by_severity)[0]!.value = 7;
    }),
    'data-as-of': header(/\/gpus/, 'x-data-as-of'),
    'unchanged-is-304': status(ANY, 200, 304),
    'responses-are-private': header(ANY, 'cache-control', 'public, max-age=60'),
  },
  account: {
    ...everyService,
    ...withTokens,
    'sign-in-methods-listed': body(/methods/, ({ methods }) => {
      rows(methods)[0]!.type = 'saml';
    }),
    'frontend-url-allowlist': (response, { path }) => {
      if (!path.includes('frontend_url=javascript')) return;
      response.status = 302;
      response.headers.location = 'javascript:alert(1)';
    },
    'sign-in-redirects-to-provider': (response) => {
      if (response.headers.location)
        response.headers.location = response.headers.location.replace('S256', 'plain');
    },
    'callback-bound-to-browser': status(/callback\?error/, 302),
    'unknown-code-rejected': header(/\/auth\/token/, 'cache-control'),
    'unknown-refresh-token-rejected': status(/\/auth\/refresh/, 400),
    'cookie-mode-requires-allowed-origin': header(/\/auth\/refresh/, 'set-cookie', 'session=1'),
    'non-json-bodies-rejected': status(/\/auth\/refresh/, 400, 415),
    'sign-out-is-idempotent': status(/logout/, 401),
    'signing-keys-published': body(/jwks/, ({ keys }) => {
      rows(keys)[0]!.d = 'private';
    }),
    'access-token-signature': body(/jwks/, ({ keys }) => {
      rows(keys)[0]!.kid = 'another';
    }),
    'me-fields': body(/\/me/, ({ user }) => {
      (user as Row).password = 'hash';
    }),
    'workspace-fields': body(/workspaces/, ({ workspaces }) => {
      rows(workspaces)[0]!.role = 'admin';
    }),
    'listed-keys-are-masked': body(/\/keys\/$/, ({ api_keys }) => rows(api_keys).push({ key: 'whole' })),
    'invalid-key-requests-rejected': status(/2147483647\/rotate/, 403),
    'api-key-lifecycle': body(/\/rotate/, ({ api_key }) => {
      (api_key as Row).id = 0;
    }),
  },
  website: {
    ...everyService,
    'resources-published': header(/feed\.xml/, 'content-type', 'text/xml'),
    'feed-sitemap-and-llms-list-every-post': text(/sitemap/, () => '<urlset/>'),
    'posts-newest-first-without-body': body(/limit=100/, ({ posts }) => void rows(posts).reverse()),
    'single-post-has-body': body(/\/posts\/./, ({ post }) => {
      delete (post as Row).body;
    }),
    'posts-pagination': body(/offset=[1-9]/, ({ posts }) => void rows(posts).reverse()),
    'posts-filters': body(/category=/, (list) => ({ ...list, total: 0 })),
    'invalid-content-requests-rejected': header(/limit=101/, 'content-type', 'application/json'),
    'content-allows-any-origin': header(/\/api\/tags/, 'access-control-allow-origin'),
    'markdown-negotiation': (response, { headers }) => {
      if (String(headers.accept).includes('q=0.3')) response.status = 406;
    },
    'markdown-twin-is-identical': text(/blog\.md/, (text) => `${text}\n`),
    'negotiated-responses-vary': (response) => {
      if (response.status === 304) response.headers.vary = 'Accept-Encoding';
    },
    'unknown-path-returns-site-map': header(/no-such-route/, 'content-type', 'application/json'),
    'content-caching': (response) => {
      if (response.headers.etag) response.headers.etag = `W/${response.headers.etag}`;
    },
    'content-compression': header(ANY, 'etag', '"the same"'),
    'contact-requires-key-or-origin': (response, { headers }) => {
      if (headers.origin === 'https://elsewhere.invalid') response.status = 401;
    },
    'contact-rejects-unknown-key': status(/contact/, 403, 401),
    'contact-rejects-invalid-bodies': (response, { body: sent }) => {
      if (String(sent).includes('phone')) response.status = 202;
    },
    'contact-is-idempotent': body(/contact/, (receipt) => ({ ...receipt, id: crypto.randomUUID() })),
  },
};

/** Rules about the token of the caller, which no response can violate. */
export const RULES_WITHOUT_MUTATION = ['access-token-claims'];

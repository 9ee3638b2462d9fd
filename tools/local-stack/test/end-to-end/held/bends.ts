import type { ServiceName } from '@gpu-observatory/contracts';
import { type Bend, body, header, status, textOf } from './bent-deployment.ts';

type Row = Record<string, unknown>;
const rows = (value: unknown) => value as Row[];

/** Whatever the path. */
const ANY = /^/;

const everyService: Record<string, Bend> = {
  'document-is-served': body(/^\/openapi\.json/, ({ paths }) => {
    delete (paths as Row)[Object.keys(paths as Row)[0]!];
  }),
  'document-has-a-page': status(/^\/docs/, 500),
  'request-id-echoed': header(ANY, 'x-request-id', 'always-the-same'),
  'paths-with-and-without-slash': status(/\/$/, 301),
  'management-is-elsewhere': status(/^\/readyz/, 200),
  'rate-limit-headers': (answer) => {
    Object.assign(answer.headers, {
      'ratelimit-limit': '5',
      'ratelimit-remaining': '6',
      'ratelimit-reset': '1',
    });
  },
};

const withTokens: Record<string, Bend> = {
  'cors-for-other-origins': (answer, request) => {
    if (request.headers.origin !== undefined)
      answer.headers['access-control-allow-origin'] = String(request.headers.origin);
  },
  'cors-for-allowed-origin': header(ANY, 'vary'),
  'unknown-path-and-method': textOf(/no-such/, () => '{"error":"not_found","message":"No."}'),
  'tokens-refused': (answer, request) => {
    if (String(request.headers.authorization).endsWith('.')) answer.status = 200;
  },
  'no-token-in-query': status(/access_token=/, 200),
};

let firstAlert: unknown;
let seenPage: unknown;

export const bends: Record<ServiceName, Record<string, Bend>> = {
  fleet: {
    ...everyService,
    ...withTokens,
    'bad-query-refused': status(/view=wide/, 200),
    'unknown-parameter-refused': textOf(
      /timeline\?no_such/,
      () => '{"error":"invalid_query","message":"No."}',
    ),
    'scalars-given-once': status(/customer_id=1&customer_id=1/, 200),
    'integers-in-plain-digits': status(/workspace_id=%2B1/, 200),
    'timestamps-are-rfc-3339': status(/from=2026-11-21$/, 200),
    'bad-cursor-refused': textOf(/page_token=e30/, () => '{"error":"invalid_query","message":"No."}'),
    'absent-is-404': status(/\/gpus\/00000000:3B/, 200),
    'foreign-scope-is-empty': body(/\/gpus\?workspace_id=2147483647/, ({ gpus }) => rows(gpus).push({})),
    'refusals-are-not-stored': header(ANY, 'cache-control', 'max-age=60'),
    'alert-has-its-twelve-fields': body(/\/alerts\/\?/, ({ alerts }) => {
      delete rows(alerts)[0]!.gpu_serial;
    }),
    'newest-first-by-default': body(/page_size=200/, ({ alerts }) => void rows(alerts).reverse()),
    'sorts-order': body(/sort=-hostname/, ({ alerts }) => void rows(alerts).reverse()),
    'severity-sort-by-rank': body(/sort=severity/, ({ alerts }) => {
      rows(alerts)[0]!.severity = 'info';
    }),
    'pages-neither-overlap-nor-skip': body(/\/alerts\//, ({ alerts }, { path }) => {
      if (!path.includes('page_token')) seenPage = rows(alerts)[0];
      else rows(alerts)[0] = seenPage as Row;
    }),
    'no-token-after-a-full-last-page': body(/from=2000/, (page) => ({ ...page, next_page_token: 'more' })),
    'window-is-half-open': body(/\/alerts\//, ({ alerts }, { path }) => {
      if (path.includes('page_size=200')) firstAlert = rows(alerts).at(-1);
      else if (path.includes('?to=')) rows(alerts).push(firstAlert as Row);
    }),
    'filters-select': body(/\[notEquals\]/, ({ alerts }, { path }) => {
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
    'detail-is-flat-with-its-fields': body(/\/alerts\/[0-9a-f]{8}-/, ({ alert }) => {
      (alert as Row).host_id = null;
    }),
    'six-resource-details': body(/\/alerts\/[0-9a-f]{8}-/, ({ alert }) => {
      delete ((alert as Row).resource_details as Row).container_details;
    }),
    'detail-agrees-with-list': body(/\/alerts\/[0-9a-f]{8}-/, ({ alert }) => {
      (alert as Row).title = 'Another';
    }),
    'timeline-in-order-without-nulls': body(/timeline/, ({ timeline_events }) => {
      for (const event of rows(timeline_events)) event.comm = null;
    }),
    'gpus-in-order-of-need': body(/page_size=1000/, ({ gpus }) => void rows(gpus).reverse()),
    'basic-view-drops-the-series': body(/page_size=50&view=basic/, ({ gpus }) => {
      rows(gpus)[0]!.utilization_series = [];
    }),
    'gpu-page-size-caps': body(/page_size=1$/, ({ gpus }) => rows(gpus).push({})),
    'gpu-found-by-its-id': status(/%7C/, 404),
    'gpu-detail-omits-nothing': body(/\/gpus\/./, ({ gpu }) => {
      delete ((gpu as Row).telemetry as Row).fan_pct;
    }),
    'metrics-have-their-stable-keys': body(/\/metrics/, ({ metrics }) => {
      delete ((metrics as Row).metrics_summary as Row).avg_fork_rate;
    }),
    'metrics-by-severity-in-rank-order': body(
      /\/metrics/,
      ({ metrics }) => void rows((metrics as Row).alerts_by_severity).reverse(),
    ),
    'metrics-top-types-at-most-three': body(/\/metrics/, ({ metrics }) => {
      (metrics as Row).top_alert_types = [1, 2, 3, 4].map((count) => ({ icon: '', title: '', count }));
    }),
    'metrics-of-a-window': body(/\/metrics.*2001/, ({ metrics }) => {
      rows((metrics as Row).alerts_by_severity)[0]!.value = 7;
    }),
    'data-as-of': header(/\/gpus/, 'x-data-as-of'),
    'unchanged-is-304': status(ANY, 200, 304),
    'answers-are-private': header(ANY, 'cache-control', 'public, max-age=60'),
  },
  account: {
    ...everyService,
    ...withTokens,
    'sign-in-methods-listed': body(/methods/, ({ methods }) => {
      rows(methods)[0]!.type = 'saml';
    }),
    'frontend-url-on-the-list': (answer, { path }) => {
      if (!path.includes('frontend_url=javascript')) return;
      answer.status = 302;
      answer.headers.location = 'javascript:alert(1)';
    },
    'sign-in-redirects-to-the-provider': (answer) => {
      if (answer.headers.location) answer.headers.location = answer.headers.location.replace('S256', 'plain');
    },
    'provider-returns-to-its-browser-only': status(/callback\?error/, 302),
    'wrong-code-refused': header(/\/auth\/token/, 'cache-control'),
    'wrong-refresh-token-refused': status(/\/auth\/refresh/, 400),
    'cookie-mode-needs-an-origin': header(/\/auth\/refresh/, 'set-cookie', 'session=1'),
    'bodies-are-json': status(/\/auth\/refresh/, 400, 415),
    'sign-out-is-repeatable': status(/logout/, 401),
    'signing-keys-published': body(/jwks/, ({ keys }) => {
      rows(keys)[0]!.d = 'private';
    }),
    'access-token-is-signed-by-a-published-key': body(/jwks/, ({ keys }) => {
      rows(keys)[0]!.kid = 'another';
    }),
    'me-is-the-caller': body(/\/me/, ({ user }) => {
      (user as Row).password = 'hash';
    }),
    'workspaces-of-the-caller': body(/workspaces/, ({ workspaces }) => {
      rows(workspaces)[0]!.role = 'admin';
    }),
    'listed-keys-are-masked': body(/\/keys\/$/, ({ api_keys }) => rows(api_keys).push({ key: 'whole' })),
    'bad-key-requests-refused': status(/2147483647\/rotate/, 403),
    'key-lives-and-dies': body(/\/rotate/, ({ api_key }) => {
      (api_key as Row).id = 0;
    }),
  },
  website: {
    ...everyService,
    'resources-published': header(/feed\.xml/, 'content-type', 'text/xml'),
    'feed-sitemap-and-llms-name-every-post': textOf(/sitemap/, () => '<urlset/>'),
    'posts-newest-first-without-body': body(/limit=100/, ({ posts }) => void rows(posts).reverse()),
    'single-post-has-its-body': body(/\/posts\/./, ({ post }) => {
      delete (post as Row).body;
    }),
    'posts-paged': body(/offset=[1-9]/, ({ posts }) => void rows(posts).reverse()),
    'posts-filtered': body(/category=/, (list) => ({ ...list, total: 0 })),
    'bad-content-requests-refused': header(/limit=101/, 'content-type', 'application/json'),
    'content-open-to-any-origin': header(/\/api\/tags/, 'access-control-allow-origin'),
    'markdown-where-asked-for': (answer, { headers }) => {
      if (String(headers.accept).includes('q=0.3')) answer.status = 406;
    },
    'markdown-twin-is-the-same-bytes': textOf(/blog\.md/, (text) => `${text}\n`),
    'negotiated-answers-vary': (answer) => {
      if (answer.status === 304) answer.headers.vary = 'Accept-Encoding';
    },
    'unknown-path-is-a-site-map': header(/no-such-route/, 'content-type', 'application/json'),
    'content-is-cached-and-revalidated': (answer) => {
      if (answer.headers.etag) answer.headers.etag = `W/${answer.headers.etag}`;
    },
    'content-is-compressed': header(ANY, 'etag', '"the same"'),
    'contact-needs-a-key-or-an-origin': (answer, { headers }) => {
      if (headers.origin === 'https://elsewhere.invalid') answer.status = 401;
    },
    'contact-refuses-an-unknown-key': status(/contact/, 403, 401),
    'contact-refuses-bad-bodies': (answer, { body: sent }) => {
      if (String(sent).includes('phone')) answer.status = 202;
    },
    'contact-is-accepted-once': body(/contact/, (receipt) => ({ ...receipt, id: crypto.randomUUID() })),
  },
};

/** The one rule about what callers bring, which no answer bends. */
export const ABOUT_THE_TOKEN = ['access-token-carries-its-claims'];

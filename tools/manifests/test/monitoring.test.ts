import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cases } from './support/cases.ts';
import { render } from '../src/helm.ts';
import { manifestsOf } from './support/manifest.ts';
import { root } from '../src/root.ts';
import { metricsIn } from './support/promql.ts';
import { SERVICES, start } from './support/services.ts';

interface Alert {
  alert: string;
  for: string;
  expr: string;
  labels: Record<string, string>;
  annotations: Record<string, string>;
}

const objects = manifestsOf(render({ values: cases['everything'] ?? {} }));
const alertsOf = (rendered: typeof objects) =>
  rendered
    .filter(({ kind }) => kind === 'PrometheusRule')
    .flatMap(({ spec }) => (spec as { groups: { rules: Alert[] }[] }).groups)
    .flatMap(({ rules }) => rules);
const alerts = alertsOf(objects);

const dashboard = JSON.parse(
  objects.find(({ metadata }) => metadata.name === 'gpu-observatory-dashboard')?.data?.[
    'gpu-observatory-gpu-observatory-dashboard.json'
  ] ?? 'null',
) as { panels: { id: number; title: string; type: string; targets?: { expr: string }[] }[] };
const panels = dashboard.panels.flatMap(({ title, targets = [] }) =>
  targets.map(({ expr }) => [title, expr] as const),
);

/** Metrics of Prometheus and of kube-state-metrics: https://github.com/kubernetes/kube-state-metrics/tree/main/docs */
const EXTERNAL_METRICS = [
  'up',
  'kube_cronjob_status_last_successful_time',
  'kube_deployment_spec_replicas',
  'kube_deployment_status_replicas_available',
  'kube_horizontalpodautoscaler_spec_max_replicas',
  'kube_horizontalpodautoscaler_status_current_replicas',
  'kube_job_failed',
  'kube_pod_container_resource_limits',
  'kube_pod_container_status_restarts_total',
];

/** Read from the source, because the collector exposes metrics only after it has connected to its database. */
const collectorMetrics = [
  ...readFileSync(join(root, 'apps/fleet-api/src/importer/scrape/collector-metrics.ts'), 'utf8').matchAll(
    /name: '(\w+)'/g,
  ),
].flatMap(([, name]) => name ?? []);

let serviceMetrics: Set<string>;
beforeAll(async () => {
  const url = 'http://127.0.0.1:1';
  const secret = 'a-secret-of-enough-characters-for-a-secret';
  const environment = {
    DATABASE_URL: 'postgres://role:password@127.0.0.1:1/observatory',
    LOG_LEVEL: 'info',
    INTERNAL_CREDENTIAL: secret,
    ACCOUNT_INTERNAL_URL: url,
    TOKEN_ISSUER: url,
    JWKS_URL: url,
    PUBLIC_URL: url,
    INTERNAL_PORT: '0',
    FRONTEND_URLS: url,
    SIGNING_KEY_SECRET: secret,
    GITHUB_CLIENT_ID: 'id',
    GITHUB_CLIENT_SECRET: 'secret',
    SITE_URL: url,
    DOCS_URL: url,
    FLEET_URL: url,
    ACCOUNT_URL: url,
    CONTACT_EMAIL: 'hello@example.com',
  };
  const scrapes = await Promise.all(SERVICES.map((service) => start(service, environment)));
  serviceMetrics = new Set(
    scrapes.flatMap(({ metrics }) =>
      [...metrics.matchAll(/^# TYPE (\w+) (\w+)$/gm)].flatMap(([, name = '', type]) =>
        type === 'histogram' ? ['_bucket', '_count', '_sum'].map((suffix) => name + suffix) : name,
      ),
    ),
  );
});

const unknown = (expression: string) =>
  metricsIn(expression.replaceAll('$__rate_interval', '5m')).filter(
    (name) =>
      ![
        ...serviceMetrics,
        ...collectorMetrics.flatMap((name) => [name, `${name}_bucket`, `${name}_count`]),
        ...EXTERNAL_METRICS,
      ].includes(name),
  );

it('uses only existing metrics in alerts', () => {
  expect(serviceMetrics.size).toBeGreaterThan(30);
  expect(alerts.length).toBeGreaterThan(15);
  for (const { alert, expr } of alerts) expect([alert, unknown(expr)]).toEqual([alert, []]);
});

it('uses only existing metrics in panels', () => {
  expect(panels.length).toBeGreaterThan(15);
  for (const [title, expr] of panels) expect([title, unknown(expr)]).toEqual([title, []]);
  const ids = dashboard.panels.map(({ id }) => id);
  expect(ids).toEqual([...new Set(ids)]);
});

it('selects by release in every alert and panel', () => {
  // kube-state-metrics has no release; names of the release's objects and `up` select there.
  const selected =
    /release="(gpu-observatory|\$release)"|(deployment|job_name|cronjob|horizontalpodautoscaler)=~?"/;
  for (const { expr } of alerts) expect(expr).toMatch(selected);
  for (const [, expr] of panels) expect(expr).toMatch(/release="\$release"/);
  const monitors = objects.filter(({ kind }) => kind === 'ServiceMonitor');
  expect(monitors.length).toBeGreaterThanOrEqual(5);
  for (const { spec } of monitors)
    expect(spec?.['endpoints']).toEqual([
      expect.objectContaining({
        relabelings: [{ action: 'replace', targetLabel: 'release', replacement: 'gpu-observatory' }],
      }),
    ]);
});

it('alerts on each service and each release separately, in one rule per alert', () => {
  const rulesOf = (name: string) =>
    alertsOf(manifestsOf(render({ name, namespace: 'shared', values: cases['everything'] ?? {} })));
  const [one, other] = [rulesOf('one'), rulesOf('other')];
  expect(one.map(({ alert }) => alert)).toEqual([...new Set(one.map(({ alert }) => alert))]);
  for (const [index, { expr }] of one.entries()) expect(expr).not.toBe(other[index]?.expr);
  const absent = one.find(({ alert }) => alert === 'GpuObservatoryServiceAbsent');
  for (const job of ['fleet-api', 'account-service', 'website-api', 'collector-training'])
    expect(absent?.expr).toContain(`absent(up{namespace="shared",release="one",job="${job}"} == 1)`);
});

it('changes, disables and validates alerts by name', () => {
  const withAlerts = (settings: object) =>
    alertsOf(manifestsOf(render({ values: { prometheusRule: { enabled: true, alerts: settings } } })));
  const latency = alerts.find(({ alert }) => alert === 'GpuObservatoryHighLatency');
  expect(latency).toMatchObject({ for: '30m', labels: { severity: 'critical' } });
  expect(latency?.expr).toMatch(/> 2\.5$/);
  const names = (settings: object) => withAlerts(settings).map(({ alert }) => alert);
  expect(names({ GpuObservatoryJobFailed: { enabled: false } })).toEqual(
    names({}).filter((name) => name !== 'GpuObservatoryJobFailed'),
  );
  expect(() => names({ GpuObservatoryJobsFailed: { enabled: false } })).toThrow(
    'prometheusRule.alerts has no alert GpuObservatoryJobsFailed',
  );
});

it('reports an unknown metric and invalid PromQL', () => {
  expect(unknown('rate(http_requests_total{job="x"}[5m]) > 1')).toEqual(['http_requests_total']);
  expect(() => unknown('rate(up[5m]')).toThrow('invalid PromQL');
  expect(() => unknown('sum by job (up)')).toThrow('invalid PromQL');
});

describe('docs/operating.md', () => {
  const page = readFileSync(join(root, 'docs/operating.md'), 'utf8');
  const headings = [...page.matchAll(/^### (GpuObservatory\w+)$/gm)].flatMap(([, name]) => name ?? []);

  it('has exactly one runbook for each alert', () => {
    expect(headings.length).toBeGreaterThan(0);
    expect(headings).toEqual([...new Set(headings)]);
    expect([...headings].sort()).toEqual([...new Set(alerts.map(({ alert }) => alert))].sort());
  });

  it('explains in each runbook what the alert means and what to do', () => {
    for (const runbook of page.split(/^### /m).slice(1)) {
      expect(runbook).toMatch(/^GpuObservatory\w+\n/);
      expect(runbook).toMatch(/\*\*Means\*\*/);
      expect(runbook).toMatch(/\*\*Do\*\*/);
    }
  });

  it('is the target of each alert, with severity, namespace and summary', () => {
    for (const { alert, labels, annotations } of alerts) {
      expect(['critical', 'warning']).toContain(labels['severity']);
      expect(labels['namespace']).toBe('gpu-observatory');
      expect(annotations['runbook_url']).toBe(`https://docs.example.com/operating#${alert.toLowerCase()}`);
      expect(annotations['summary']).toMatch(/\.$/);
    }
  });
});

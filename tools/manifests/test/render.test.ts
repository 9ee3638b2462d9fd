import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { cases } from './support/cases.ts';
import { render, renderAnew } from '../src/helm.ts';
import { lint } from './support/lint.ts';
import { manifestsOf, podOf, titleOf } from './support/manifest.ts';
import { chart } from '../src/root.ts';

/** Cases that together render every template. */
const LINTED_CASES = ['by default', 'everything', 'no service'];

it.each(LINTED_CASES)('passes helm lint --strict and renders the same twice: %s', (name) => {
  const values = cases[name] ?? {};
  expect(lint(values)).toContain('0 chart(s) failed');
  expect(renderAnew({ values })).toBe(renderAnew({ values }));
});

it.each(Object.entries(cases))('renders each object once: %s', (_name, values) => {
  const titles = manifestsOf(render({ values })).map(titleOf);
  expect(titles).toEqual([...new Set(titles)]);
});

it('changes every boolean value in at least one case', () => {
  const at = (values: unknown, path: string[]): unknown =>
    path.reduce<unknown>((inner, key) => (inner as Record<string, unknown> | undefined)?.[key], values);
  const switchesOf = (values: unknown, path: string[] = []): string[][] =>
    values === null || typeof values !== 'object'
      ? []
      : Object.entries(values).flatMap(([key, inner]) =>
          typeof inner === 'boolean' ? [[...path, key]] : switchesOf(inner, [...path, key]),
        );
  const defaults: unknown = parse(readFileSync(join(chart, 'values.yaml'), 'utf8'));
  const switches = switchesOf(defaults).filter((path) => !path.join('.').startsWith('pods.'));
  expect(switches.length).toBeGreaterThan(20);
  const isChanged = (path: string[]) =>
    Object.values(cases).some((values) => at(values, path) === !at(defaults, path));
  expect(switches.filter((path) => !isChanged(path)).map((path) => path.join('.'))).toEqual([]);
});

it.each([
  ['a long release name', 'r'.repeat(53)],
  ['a release with the name of the chart', 'gpu-observatory'],
  ['a short release name', 'x'],
])('keeps names within the limits of Kubernetes: %s', (_what, name) => {
  for (const { kind, metadata } of manifestsOf(render({ name, values: cases.everything ?? {} }))) {
    // A CronJob's Jobs add 11 characters to its name.
    expect(metadata.name.length).toBeLessThanOrEqual(kind === 'CronJob' ? 52 : 63);
    expect(metadata.name).toMatch(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/);
    for (const value of Object.values(metadata.labels ?? {}))
      expect(value).toMatch(/^[A-Za-z0-9]([-\w.]{0,61}[A-Za-z0-9])?$/);
  }
});

it.each([
  ['one', 'other'],
  ['gpu-observatory-production-eu', 'gpu-observatory-production-us'],
  [`${'r'.repeat(52)}1`, `${'r'.repeat(52)}2`],
])('supports two releases in one namespace: %s and %s', (one, other) => {
  const titlesOf = (name: string) =>
    manifestsOf(render({ name, namespace: 'shared', values: { ...cases.everything, extraObjects: [] } })).map(
      titleOf,
    );
  const titles = new Set(titlesOf(one));
  expect(titlesOf(other).filter((title) => titles.has(title))).toEqual([]);
});

it('refers to objects by the names that they have, also when these are shortened', () => {
  const objects = manifestsOf(render({ name: 'r'.repeat(53), values: cases.everything ?? {} }));
  const names = new Set(objects.map(titleOf));
  const hosts = JSON.stringify(objects).matchAll(/http:\/\/(r[^/:"]+)/g);
  const services = [...hosts].map(([, name = '']) => `Service ${name}`);
  expect(services.length).toBeGreaterThan(3);
  const referenced = objects.flatMap((object) => {
    const { scaleTargetRef } = (object.spec ?? {}) as { scaleTargetRef?: { kind: string; name: string } };
    const account = podOf(object)?.serviceAccountName;
    return [
      ...(scaleTargetRef ? [`${scaleTargetRef.kind} ${scaleTargetRef.name}`] : []),
      ...(account?.startsWith('r') ? [`ServiceAccount ${account}`] : []),
    ];
  });
  expect([...services, ...referenced].filter((title) => !names.has(title))).toEqual([]);
});

it('keeps versions of the chart out of pods and selectors, so that an upgrade of the chart restarts none', () => {
  const templates = manifestsOf(render({ values: cases.everything ?? {} })).flatMap(
    ({ spec }) => (spec as { template?: object } | undefined)?.template ?? [],
  );
  expect(templates.length).toBeGreaterThan(0);
  for (const template of templates) {
    const text = JSON.stringify(template);
    expect(text).not.toContain('helm.sh/chart');
    expect(text).not.toContain('app.kubernetes.io/version');
  }
});

it('adds the labels and annotations of the values to the pods', () => {
  const pods = manifestsOf(render({ values: cases.everything ?? {} })).flatMap((object) => {
    const { template, jobTemplate } = (object.spec ?? {}) as {
      template?: { metadata: object };
      jobTemplate?: { spec: { template: { metadata: object } } };
    };
    const metadata = (jobTemplate?.spec.template ?? template)?.metadata;
    return metadata ? [[titleOf(object), metadata] as const] : [];
  });
  expect(pods.length).toBeGreaterThan(15);
  for (const [title, metadata] of pods) {
    const isJob = /^(Cron)?Job /.test(title);
    const expected = isJob
      ? [{ 'sidecar.istio.io/inject': 'false' }, { 'example.com/note': 'job' }]
      : title.includes('-collector-')
        ? [{ team: 'telemetry' }, { 'example.com/note': 'collector' }]
        : [{ team: 'platform' }, { 'example.com/note': 'yes' }];
    expect([title, metadata]).toMatchObject([title, { labels: expected[0], annotations: expected[1] }]);
  }
});

it('fails when the context of a template lacks a key', () => {
  const copy = mkdtempSync(join(tmpdir(), 'chart-'));
  try {
    cpSync(chart, copy, { recursive: true });
    writeFileSync(
      join(copy, 'templates/broken.yaml'),
      '{{ include "gpu-observatory.metadata" (dict "root" $ "name" "x") }}',
    );
    expect(() => render({ chart: copy })).toThrow('a template context of the chart lacks "component"');
  } finally {
    rmSync(copy, { recursive: true });
  }
});

it('selects only the pods of the same component in each Service, policy and disruption budget', () => {
  const objects = manifestsOf(render({ values: cases.everything ?? {} }));
  const selectors = objects.flatMap((object) => {
    const { selector } = (object.spec ?? {}) as { selector?: Record<string, unknown> };
    const labels = (selector?.['matchLabels'] ?? selector) as Record<string, string> | undefined;
    return labels
      ? { title: titleOf(object), component: object.metadata.labels?.['app.kubernetes.io/component'], labels }
      : [];
  });
  expect(selectors.length).toBeGreaterThan(12);
  for (const { component, labels } of selectors) {
    expect(labels).toMatchObject({
      'app.kubernetes.io/name': 'gpu-observatory',
      'app.kubernetes.io/instance': 'gpu-observatory',
      'app.kubernetes.io/component': component,
    });
  }
});

describe('as a subchart', () => {
  const parent = mkdtempSync(join(tmpdir(), 'parent-chart-'));
  beforeAll(() => {
    mkdirSync(join(parent, 'charts'));
    symlinkSync(chart, join(parent, 'charts/gpu-observatory'));
    writeFileSync(
      join(parent, 'Chart.yaml'),
      'apiVersion: v2\nname: platform\nversion: 1.0.0\ndependencies: [{ name: gpu-observatory, version: 0.1.0 }]\n',
    );
  });
  afterAll(() => rmSync(parent, { recursive: true }));

  const asSubchart = (values: object) => manifestsOf(render({ chart: parent, name: 'platform', values }));

  it('is named after the release and reads its values under its name', () => {
    const objects = asSubchart({ 'gpu-observatory': { websiteApi: { enabled: false } } });
    expect(objects.map(titleOf)).toContain('Deployment platform-gpu-observatory-fleet-api');
    expect(objects.filter(({ metadata }) => metadata.name.includes('website'))).toEqual([]);
  });

  it("reads registry and pull secrets from the parent's global values and ignores the others", () => {
    const global = { imageRegistry: 'images.example.com', imagePullSecrets: ['pull'], storageClass: 'fast' };
    const pods = asSubchart({ global }).flatMap((object) => podOf(object) ?? []);
    expect(pods.length).toBeGreaterThan(8);
    for (const pod of pods) {
      expect(pod.containers[0]?.image).toMatch(/^images\.example\.com\/gpu-observatory\//);
      expect(pod['imagePullSecrets']).toEqual([{ name: 'pull' }]);
    }
  });

  it('rejects a misspelled value', () => {
    expect(() => asSubchart({ 'gpu-observatory': { websiteAPI: {} } })).toThrow('websiteAPI is not allowed');
  });
});

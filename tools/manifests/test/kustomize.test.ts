import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { generatedFiles, HOOKS, OPERATIONS } from '../src/generated-files.ts';
import { render } from '../src/helm.ts';
import { build } from './support/kustomize.ts';
import {
  containersOf,
  differingObjects,
  type Manifest,
  manifestsOf,
  podOf,
  titleOf,
} from './support/manifest.ts';
import { root } from '../src/root.ts';
import { exampleValues } from './support/examples.ts';

const asHelm = (yaml: string) => yaml.replaceAll('managed-by: kustomize', 'managed-by: Helm');

it.each([...generatedFiles()])('%s is up to date', (path, text) => {
  // To accept a difference: npm run accept -w tools/manifests
  expect(readFileSync(join(root, path), 'utf8')).toBe(text);
});

it('has only files of the chart in the base', () => {
  const generated = [...generatedFiles().keys()].filter((path) => path.startsWith('k8s/kustomize/base/'));
  expect(
    readdirSync(join(root, 'k8s/kustomize/base'))
      .map((name) => `k8s/kustomize/base/${name}`)
      .sort(),
  ).toEqual(generated.sort());
});

it("builds the base from the chart's default objects without hooks", () => {
  expect(differingObjects(asHelm(build('kustomize/base')), render({ hooks: false }))).toEqual([]);
});

it.each(Object.keys(HOOKS))("builds the chart's hooks without hook annotations: %s", (folder) => {
  const built = build(`kustomize/${folder}`);
  expect(built).not.toContain('helm.sh/hook');
  const titles = manifestsOf(built).map(titleOf);
  expect(titles.length).toBeGreaterThan(1);
  const hooks = manifestsOf(render({ values: OPERATIONS })).map(titleOf);
  expect(titles.filter((title) => !hooks.includes(title))).toEqual([]);
});

it("builds every Job of the chart's hooks", () => {
  const jobs = (objects: ReturnType<typeof manifestsOf>) =>
    objects.filter(({ kind }) => kind === 'Job').map(titleOf);
  const built = Object.keys(HOOKS).flatMap((folder) => jobs(manifestsOf(build(`kustomize/${folder}`))));
  expect(built.sort()).toEqual(jobs(manifestsOf(render({ values: OPERATIONS }))).sort());
});

describe('the production overlay', () => {
  const built = build('kustomize/production');
  const objects = manifestsOf(built);

  it('contains the base and its namespace, with all objects in the namespace', () => {
    const baseTitles = manifestsOf(build('kustomize/base')).map(titleOf);
    expect(objects.map(titleOf).sort()).toEqual([...baseTitles, 'Namespace gpu-observatory'].sort());
    for (const { kind, metadata } of objects) {
      if (kind !== 'Namespace') expect(metadata.namespace).toBe('gpu-observatory');
    }
  });

  it("replaces the chart's example names, and pulls every image from one registry", () => {
    expect(built).not.toContain('example.com');
    for (const folder of ['.', ...Object.keys(HOOKS)]) {
      const containers = manifestsOf(build(`kustomize/production/${folder}`)).flatMap((object) =>
        containersOf(podOf(object) ?? { containers: [] }),
      );
      expect(containers.length).toBeGreaterThanOrEqual(2);
      for (const { image } of containers)
        expect(image).toMatch(/^images\.observatory\.example\/gpu-observatory\//);
    }
  });

  it('has the objects of the chart with the production values, except what needs other operators', () => {
    const production = parse(exampleValues().get('values-production.yaml') ?? '') as {
      fleetApi: object;
      websiteApi: object;
    };
    const values = {
      ...production,
      fleetApi: { ...production.fleetApi, autoscaling: { enabled: false }, replicas: 3 },
      ingress: { className: 'traefik', annotations: { 'cert-manager.io/cluster-issuer': 'letsencrypt' } },
      ...Object.fromEntries(
        ['gateway', 'serviceMonitor', 'prometheusRule', 'grafanaDashboard'].map((key) => [
          key,
          { enabled: false },
        ]),
      ),
      networkPolicy: {},
    };
    const isIncluded = ({ kind, metadata }: Manifest) =>
      // The other folders contain the tenants.
      kind !== 'Namespace' && metadata.name !== 'gpu-observatory-account-service-tenants';
    // A patch appends variables.
    const sortedVariables = (key: string, value: unknown): unknown =>
      key === 'env' && Array.isArray(value)
        ? (value as { name: string }[]).toSorted((one, other) => (one.name < other.name ? -1 : 1))
        : value;
    const text = (all: Manifest[]) =>
      all
        .filter(isIncluded)
        .map((object) => JSON.stringify(object, sortedVariables))
        .join('\n---\n');
    expect(
      differingObjects(text(manifestsOf(asHelm(built))), text(manifestsOf(render({ hooks: false, values })))),
    ).toEqual([]);
  });

  it('mounts the certificate authority of the database in every pod that has a database URL', () => {
    const pods = ['.', ...Object.keys(HOOKS)].flatMap((folder) =>
      manifestsOf(build(`kustomize/production/${folder}`))
        .filter(({ metadata }) => !metadata.name.endsWith('-console'))
        .flatMap((object) => podOf(object) ?? []),
    );
    expect(pods.length).toBeGreaterThan(15);
    for (const pod of pods) {
      expect(pod['volumes']).toContainEqual({
        name: 'database-authority',
        secret: { secretName: 'observatory-ca', optional: true, items: [{ key: 'ca.crt', path: 'ca.crt' }] },
      });
      for (const container of containersOf(pod))
        expect(container.volumeMounts).toContainEqual({
          name: 'database-authority',
          mountPath: '/etc/database-authority',
          readOnly: true,
        });
    }
  });
});

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { differingObjects, generatedFiles } from '../src/generated.ts';
import { render } from '../src/helm.ts';
import { build } from '../src/kustomize.ts';
import { containersOf, manifestsOf, podOf, titleOf } from '../src/manifest.ts';
import { root } from '../src/root.ts';

const asOurs = (yaml: string) => yaml.replaceAll('managed-by: kustomize', 'managed-by: Helm');

it.each([...generatedFiles()])('%s is what it follows from', (path, text) => {
  // A difference that is meant: npm run accept -w tools/manifests
  expect(readFileSync(join(root, path), 'utf8')).toBe(text);
});

it('has no file in the base that the chart does not make', () => {
  const made = [...generatedFiles().keys()].filter((path) => path.startsWith('k8s/kustomize/base/'));
  expect(
    readdirSync(join(root, 'k8s/kustomize/base'))
      .map((name) => `k8s/kustomize/base/${name}`)
      .sort(),
  ).toEqual(made.sort());
});

it("builds a base of the chart's default objects, hooks left out", () => {
  expect(differingObjects(asOurs(build('kustomize/base')), render({ hooks: false }))).toEqual([]);
});

it("builds migrations of the chart's hooks, and nothing of the tests", () => {
  expect(
    manifestsOf(build('kustomize/migrations'))
      .map(({ kind }) => kind)
      .sort(),
  ).toEqual(
    ['Job', 'Job', 'Job', 'NetworkPolicy', 'NetworkPolicy', 'NetworkPolicy', 'ServiceAccount'].sort(),
  );
  expect(build('kustomize/migrations')).not.toContain('helm.sh/hook');
});

describe('the production overlay', () => {
  const built = build('kustomize/production');
  const objects = manifestsOf(built);

  it('is the base and its namespace, all in it', () => {
    const ofBase = manifestsOf(build('kustomize/base')).map(titleOf);
    expect(objects.map(titleOf).sort()).toEqual([...ofBase, 'Namespace gpu-observatory'].sort());
    for (const { kind, metadata } of objects) {
      if (kind !== 'Namespace') expect(metadata.namespace).toBe('gpu-observatory');
    }
  });

  it("leaves none of the chart's example names, and takes every image from one registry", () => {
    expect(built).not.toContain('example.com');
    for (const folder of ['kustomize/production', 'kustomize/production/migrations']) {
      const containers = manifestsOf(build(folder)).flatMap((object) =>
        containersOf(podOf(object) ?? { containers: [] }),
      );
      expect(containers.length).toBeGreaterThanOrEqual(3);
      for (const { image } of containers)
        expect(image).toMatch(/^images\.observatory\.example\/gpu-observatory\//);
    }
  });

  it('changes of the base only what it says', () => {
    expect(differingObjects(built, build('kustomize/base')).sort()).toEqual(
      [
        'CronJob gpu-observatory-account-service-clean-up',
        'CronJob gpu-observatory-fleet-api-partitions',
        'CronJob gpu-observatory-fleet-api-retention',
        'Deployment gpu-observatory-account-service',
        'Deployment gpu-observatory-fleet-api',
        'Deployment gpu-observatory-website-api',
        'Ingress gpu-observatory-account-service',
        'Ingress gpu-observatory-fleet-api',
        'Ingress gpu-observatory-website-api',
        'Namespace gpu-observatory',
      ].sort(),
    );
  });
});

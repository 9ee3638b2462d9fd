import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { render } from '../src/helm.ts';
import { containersOf, manifestsOf, podOf } from '../src/manifest.ts';
import { chart, root } from '../src/root.ts';
import { valuesOf } from '../src/values-table.ts';
import { exampleValues, examples } from './support/examples.ts';

const chartPage = readFileSync(join(chart, 'README.md'), 'utf8');
const trial = parse(exampleValues().get('values-trial.yaml') ?? '') as object;
const production = parse(exampleValues().get('values-production.yaml') ?? '') as object;

it('describes every value of the chart, and no other', () => {
  const rows = [...chartPage.matchAll(/^\| `(\S+)` \| .*? \| (.*) \|$/gm)];
  const described = rows.flatMap(([, path = '']) => {
    const [, services, rest = ''] = /^(\*|[a-zA-Z]+(?:,[a-zA-Z]+)+)\.(.*)$/.exec(path) ?? [];
    if (services === undefined) return [path];
    const names =
      services === '*' ? ['fleetApi', 'accountService', 'websiteApi', 'console'] : services.split(',');
    return names.map((name) => `${name}.${rest}`);
  });
  const values = valuesOf(readFileSync(join(chart, 'values.yaml'), 'utf8'));
  expect(values.length).toBeGreaterThan(300);
  expect(described.toSorted()).toEqual(values.map(({ path }) => path).toSorted());
  expect(rows.filter(([, , description]) => description?.trim() === '')).toEqual([]);
});

it('renders the example values', () => {
  expect(manifestsOf(render({ values: trial })).length).toBeGreaterThan(40);
  expect(manifestsOf(render({ values: production })).length).toBeGreaterThan(40);
});

it('creates every Secret and key that the chart and the production values read', () => {
  const script = readFileSync(join(root, 'k8s/create-secrets.sh'), 'utf8');
  const created = new Set(
    [...script.matchAll(/\bsecret ([a-z-]+) ((?:\\\n|.)*)\n/g)].flatMap(([, name, keys = '']) =>
      [...keys.matchAll(/([A-Za-z_]+)="/g)].map(([, key]) => `${name}/${key}`),
    ),
  );
  const read = [render(), render({ values: production }), render({ values: trial })]
    .flatMap(manifestsOf)
    .flatMap((object) => containersOf(podOf(object) ?? { containers: [] }))
    .flatMap(({ env = [] }) => env.flatMap(({ valueFrom }) => valueFrom?.secretKeyRef ?? []))
    .map(({ name, key }) => `${name}/${key}`);
  // References of the custom resources of CloudNativePG.
  for (const [, name, key] of JSON.stringify(examples()).matchAll(/\{"name":"([^"]+)","key":"([^"]+)"\}/g))
    read.push(`${name}/${key}`);
  const others = ['observatory-archive/ACCESS_KEY_ID', 'observatory-archive/SECRET_ACCESS_KEY'];
  expect(created.size).toBeGreaterThan(10);
  expect([...new Set(read)].filter((secret) => !created.has(secret) && !others.includes(secret))).toEqual([]);
  // Only with accountService.oidc.
  expect([...created].filter((secret) => !read.includes(secret))).toEqual([
    'account-service/OIDC_CLIENT_ID',
    'account-service/OIDC_CLIENT_SECRET',
  ]);
});

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { render } from '../src/helm.ts';
import { containersOf, manifestsOf, podOf } from './support/manifest.ts';
import { chart, root } from '../src/root.ts';
import { valuesOf } from '../src/values-table.ts';
import { exampleValues, examples } from './support/examples.ts';

const chartPage = readFileSync(join(chart, 'README.md'), 'utf8');
const trial = parse(exampleValues().get('values-trial.yaml') ?? '') as object;
const production = parse(exampleValues().get('values-production.yaml') ?? '') as object;

it('describes every value of the chart, and no other', () => {
  const rows = [...chartPage.matchAll(/^\| `(\S+)` \| .*? \| (.*) \|$/gm)];
  const described = rows.flatMap(([, path = '']) => {
    const [, parts, rest = ''] = /^((?:\*|[a-zA-Z]+)(?:,[a-zA-Z]+)*)\.(.*)$/.exec(path) ?? [];
    if (parts === undefined) return [path];
    const names = parts.replace('*', 'fleetApi,accountService,websiteApi,console').split(',');
    return names.map((name) => `${name}.${rest}`);
  });
  const values = valuesOf(readFileSync(join(chart, 'values.yaml'), 'utf8'));
  expect(values.length).toBeGreaterThan(300);
  expect(described.toSorted()).toEqual(values.map(({ path }) => path).toSorted());
  expect(rows.filter(([, , description]) => description?.trim() === '')).toEqual([]);
});

it.each([...exampleValues()])('renders the example values %s', (_name, values) => {
  expect(manifestsOf(render({ values: parse(values) as object })).length).toBeGreaterThan(40);
});

it('renders for one node no object of an operator that it may not have', () => {
  const values = parse(exampleValues().get('values-single.yaml') ?? '') as object;
  const groups = manifestsOf(render({ values })).map(({ apiVersion }) => apiVersion.split('/')[0]);
  expect([...new Set(groups)].toSorted()).toEqual(['apps', 'batch', 'networking.k8s.io', 'policy', 'v1']);
});

/** Runs create-secrets.sh with a kubectl that prints its arguments and its input. */
function createSecrets(environment: Record<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), 'kubectl-'));
  const kubectl = '#!/bin/sh\necho "kubectl $*"\ncat\n';
  try {
    writeFileSync(join(folder, 'kubectl'), kubectl, { mode: 0o700 });
    const env = { ...environment, PATH: `${folder}:${process.env['PATH']}` };
    return execFileSync('sh', [join(root, 'k8s/create-secrets.sh')], { env, encoding: 'utf8' });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const providers = {
  GITHUB_CLIENT_ID: 'github-id',
  GITHUB_CLIENT_SECRET: 'github-secret',
  GOOGLE_CLIENT_ID: 'google-id',
  GOOGLE_CLIENT_SECRET: 'google-secret',
  OIDC_CLIENT_ID: 'oidc-id',
  OIDC_CLIENT_SECRET: 'a secret=with "$signs"',
  SMTP_URL: 'smtps://user:password@smtp.observatory.example',
};

it('passes no secret to kubectl on its command line', () => {
  const commands = createSecrets(providers).match(/^kubectl .*$/gm) ?? [];
  expect(commands).toHaveLength(9);
  for (const command of commands)
    expect(command).toMatch(/^kubectl create secret generic [a-z-]+ --from-env-file=\/dev\/stdin$/);
});

it('passes values to kubectl as they are, and none that is not set', () => {
  const output = createSecrets(providers);
  for (const [name, value] of Object.entries(providers)) expect(output).toContain(`\n${name}=${value}\n`);
  expect(createSecrets({})).not.toMatch(/GITHUB|GOOGLE|OIDC|SMTP|=$/m);
});

it('rejects the placeholders of the guide before it creates a Secret', () => {
  for (const name of Object.keys(providers))
    expect(() => createSecrets({ ...providers, [name]: '…' })).toThrow(`${name} is the placeholder`);
});

it('creates every Secret and key that the chart and the production values read', () => {
  const created = new Set(
    [providers, { TRIAL: 'true' }].flatMap((environment) =>
      createSecrets(environment as Record<string, string>)
        .split(/^kubectl create secret generic /m)
        .slice(1)
        .flatMap((secret) =>
          [...secret.matchAll(/^([A-Za-z_]+)=/gm)].map(([, key]) => `${secret.split(' ')[0]}/${key}`),
        ),
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

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cases } from './support/cases.ts';
import { render } from '../src/helm.ts';
import { containersOf, manifestsOf, podOf } from './support/manifest.ts';
import { chart } from '../src/root.ts';
import { Cluster } from './support/cluster.ts';

const install = (cluster: Cluster, values: object) =>
  cluster.helm(
    [
      ...['install', 'gpu-observatory', chart, '--namespace', 'gpu-observatory', '--values', '-'],
      ...['--no-hooks', '--disable-openapi-validation'],
    ],
    values,
  );

/** Keys that the pods of a render read, by Secret. */
function secretsOf(values: object): Map<string, string[]> {
  const secrets = new Map<string, string[]>();
  const references = manifestsOf(render({ values }))
    .flatMap((object) => containersOf(podOf(object) ?? { containers: [] }))
    .flatMap(({ env = [] }) => env.flatMap(({ valueFrom }) => valueFrom?.secretKeyRef ?? []));
  for (const { name, key } of references) secrets.set(name, [...(secrets.get(name) ?? []), key]);
  return secrets;
}

it.each(['by default', 'everything'])('installs with the Secrets that the pods read: %s', async (name) => {
  await using cluster = await Cluster.start();
  const values = { ...cases[name], checkSecrets: true, gateway: { enabled: false } };
  cluster.addSecrets(secretsOf(values));
  await install(cluster, values);
});

it('names each missing Secret and key, in one message', async () => {
  await using cluster = await Cluster.start();
  const secrets = secretsOf({});
  secrets.delete('fleet-api-operations');
  secrets.set('account-service', ['SIGNING_KEY_SECRET', 'GITHUB_CLIENT_ID']);
  cluster.addSecrets(secrets);
  await expect(install(cluster, {})).rejects.toThrow(
    'missing in namespace gpu-observatory: key OWNER_DATABASE_URL of Secret fleet-api-operations, ' +
      'key IMPORTER_DATABASE_URL of Secret fleet-api-operations, key GITHUB_CLIENT_SECRET of Secret account-service',
  );
  await install(cluster, { checkSecrets: false });
});

it('accepts Secrets that an extra object creates before the migrations', async () => {
  await using cluster = await Cluster.start();
  const secrets = secretsOf({});
  secrets.delete('fleet-api-operations');
  cluster.addSecrets(secrets);
  const page = readFileSync(join(chart, '../README.md'), 'utf8');
  expect(page).toContain("helm.sh/hook-weight: '-30'");
  const annotations = { 'helm.sh/hook': 'pre-install,pre-upgrade', 'helm.sh/hook-weight': '-30' };
  const extraObjects = [
    {
      apiVersion: 'external-secrets.io/v1',
      kind: 'ExternalSecret',
      metadata: { name: 'fleet-api-operations', annotations },
    },
  ];
  await install(cluster, { extraObjects });
});

it('starts migrations without their Secret, so that they fail with its variable', () => {
  const jobs = manifestsOf(render({ values: cases.everything ?? {} })).filter(({ metadata }) =>
    /-(migration|database-preparation)$/.test(metadata.name),
  );
  const references = jobs
    .flatMap((object) => containersOf(podOf(object) ?? { containers: [] }))
    .flatMap(({ env = [] }) => env.flatMap(({ valueFrom }) => valueFrom?.secretKeyRef ?? []));
  expect(references.length).toBeGreaterThan(8);
  for (const reference of references) expect(reference).toMatchObject({ optional: true });
});

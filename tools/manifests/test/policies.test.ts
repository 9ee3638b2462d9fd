import { cases } from './support/cases.ts';
import { HOOKS } from '../src/generated-files.ts';
import { render } from '../src/helm.ts';
import { build } from './support/kustomize.ts';
import { type Manifest, manifestsOf } from './support/manifest.ts';
import { policyViolations } from './support/policies.ts';

it.each(Object.entries(cases))('violates no policy: %s', (_name, values) => {
  expect(manifestsOf(render({ values })).flatMap(policyViolations)).toEqual([]);
});

it.each([
  'kustomize/base',
  'kustomize/production',
  ...Object.keys(HOOKS).map((folder) => `kustomize/production/${folder}`),
])('violates no policy: %s', (folder) => {
  expect(
    manifestsOf(build(folder))
      .filter(({ kind }) => kind !== 'Namespace')
      .flatMap(policyViolations),
  ).toEqual([]);
});

describe('each policy reports its violation', () => {
  const objects = manifestsOf(render());
  /** Changes one text in the first object of a kind in the default render. */
  const changed = (kind: string, from: string | RegExp, to: string) => {
    const text = JSON.stringify(objects.find((object) => object.kind === kind));
    const after = text.replace(from, to);
    expect(after).not.toBe(text);
    return policyViolations(JSON.parse(after) as Manifest).map((violation) =>
      violation.replace(/^\S+ \S+ /, ''),
    );
  };

  it.each([
    ['Deployment', '"runAsNonRoot":true', '"runAsNonRoot":false', 'runs as root'],
    ['Deployment', '"runAsUser":1000', '"runAsUser":0', 'runs as root'],
    ['CronJob', 'RuntimeDefault', 'Unconfined', 'has no seccomp profile'],
    ['Job', '"automountServiceAccountToken":false,', '', 'mounts an API server token'],
    [
      'Pod',
      '"enableServiceLinks":false',
      '"enableServiceLinks":true',
      'receives Service addresses as environment variables',
    ],
    [
      'Deployment',
      '"enableServiceLinks":false',
      '"enableServiceLinks":false,"hostNetwork":true',
      'uses a host namespace',
    ],
    ['Deployment', '"volumes":[', '"volumes":[{"name":"x","hostPath":{"path":"/"}},', 'mounts a host path'],
    [
      'Deployment',
      '"allowPrivilegeEscalation":false',
      '"allowPrivilegeEscalation":true',
      'can gain privileges',
    ],
    [
      'Deployment',
      '"readOnlyRootFilesystem":true',
      '"readOnlyRootFilesystem":false',
      'writes to its file system',
    ],
    ['Job', '{"drop":["ALL"]}', '{"drop":["ALL"],"add":["NET_ADMIN"]}', 'keeps capabilities'],
    ['CronJob', /"limits":\{[^}]*\}/, '"limits":{"memory":"1Gi"}', 'lacks CPU or memory requests or limits'],
    ['Deployment', 'fleet-api:0.1.0', 'fleet-api:latest', 'has an unversioned image'],
    ['Deployment', 'fleet-api:0.1.0', 'fleet-api', 'has an unversioned image'],
    [
      'Deployment',
      /\{"name":"DATABASE_URL",.*?\}\}\}/,
      '{"name":"DATABASE_URL","value":"postgres://fleet_api@db/x"}',
      'has a secret in its environment',
    ],
    [
      'Deployment',
      '"value":"info"',
      '"value":"smtps://site:password@mail"',
      'has a secret in its environment',
    ],
    ['ServiceAccount', '"kind":"ServiceAccount"', '"kind":"Secret"', 'is a Secret'],
    [
      'ServiceAccount',
      '"kind":"ServiceAccount"',
      '"kind":"ClusterRoleBinding"',
      'grants cluster permissions',
    ],
    [
      'Service',
      /"public"(.*)"ClusterIP"/,
      '"internal"$1"NodePort"',
      'exposes a port other than the public one',
    ],
    ['PodDisruptionBudget', '"maxUnavailable":1', '"minAvailable":1', 'can block a drain'],
    ['Ingress', 'app.kubernetes.io/instance', 'instance', 'lacks the release label'],
  ])('%s with %s as %s %s', (kind, from, to, violation) => {
    expect(changed(kind, from, to)).toEqual([violation]);
  });
});

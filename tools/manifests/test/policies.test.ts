import { cases } from '../src/cases.ts';
import { render } from '../src/helm.ts';
import { build } from '../src/kustomize.ts';
import { type Manifest, manifestsOf, podOf } from '../src/manifest.ts';
import { policyFaults } from '../src/policies.ts';
import { examples } from './support/examples.ts';

it.each(Object.entries(cases))('breaks no policy: %s', (_name, values) => {
  expect(manifestsOf(render({ values })).flatMap(policyFaults)).toEqual([]);
});

it.each([
  'kustomize/base',
  'kustomize/migrations',
  'kustomize/production',
  'kustomize/production/migrations',
])('breaks no policy: %s', (folder) => {
  expect(
    manifestsOf(build(folder))
      .filter(({ kind }) => kind !== 'Namespace')
      .flatMap(policyFaults),
  ).toEqual([]);
});

it('breaks no policy: the examples', () => {
  // Of a Cluster and a Pooler the operator makes the pods.
  expect(
    examples()
      .filter((object) => podOf(object))
      .flatMap(policyFaults),
  ).toEqual([]);
});

describe('each policy bites', () => {
  const objects = manifestsOf(render());
  /** The default render with one thing changed in the text of the first object of a kind. */
  const changed = (kind: string, from: string | RegExp, to: string) => {
    const text = JSON.stringify(objects.find((object) => object.kind === kind));
    const after = text.replace(from, to);
    expect(after).not.toBe(text);
    return policyFaults(JSON.parse(after) as Manifest).map((fault) => fault.replace(/^\S+ \S+ /, ''));
  };

  it.each([
    ['Deployment', '"runAsNonRoot":true', '"runAsNonRoot":false', 'runs as root'],
    ['Deployment', '"runAsUser":1000', '"runAsUser":0', 'runs as root'],
    ['CronJob', 'RuntimeDefault', 'Unconfined', 'has no seccomp profile'],
    ['Job', '"automountServiceAccountToken":false,', '', 'mounts a token of the API server'],
    [
      'Pod',
      '"enableServiceLinks":false',
      '"enableServiceLinks":true',
      'learns of other Services by its environment',
    ],
    [
      'Deployment',
      '"enableServiceLinks":false',
      '"enableServiceLinks":false,"hostNetwork":true',
      'uses a namespace of the host',
    ],
    [
      'Deployment',
      '"enableServiceLinks":false',
      '"enableServiceLinks":false,"volumes":[{"name":"x","hostPath":{"path":"/"}}]',
      'mounts a path of the host',
    ],
    [
      'Deployment',
      '"allowPrivilegeEscalation":false',
      '"allowPrivilegeEscalation":true',
      'may gain privileges',
    ],
    [
      'Deployment',
      '"readOnlyRootFilesystem":true',
      '"readOnlyRootFilesystem":false',
      'writes to its file system',
    ],
    ['Job', '{"drop":["ALL"]}', '{"drop":["ALL"],"add":["NET_ADMIN"]}', 'keeps capabilities'],
    [
      'CronJob',
      /"limits":\{[^}]*\}/,
      '"limits":{"memory":"1Gi"}',
      'has no requests and limits of CPU and memory',
    ],
    ['Deployment', 'fleet-api:0.1.0', 'fleet-api:latest', 'has an image without a version'],
    ['Deployment', 'fleet-api:0.1.0', 'fleet-api', 'has an image without a version'],
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
    ['ServiceAccount', '"kind":"ServiceAccount"', '"kind":"ClusterRoleBinding"', 'has rights in the cluster'],
    ['Service', '"ClusterIP"', '"NodePort"', 'opens a port of nodes'],
    ['PodDisruptionBudget', '"maxUnavailable":1', '"minAvailable":1', 'can block a drain'],
    ['Ingress', 'app.kubernetes.io/instance', 'instance', 'has no name of its release'],
  ])('%s with %s as %s %s', (kind, from, to, fault) => {
    expect(changed(kind, from, to)).toEqual([fault]);
  });
});

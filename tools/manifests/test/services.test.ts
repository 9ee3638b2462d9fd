import { parse } from 'yaml';
import { exampleValues } from './support/examples.ts';
import { render } from '../src/helm.ts';
import { type Manifest, manifestsOf, podOf, titleOf } from './support/manifest.ts';

const rendered = (values: object): Map<string, Manifest> =>
  new Map(manifestsOf(render({ values })).map((object) => [titleOf(object), object]));
const specOf = (objects: Map<string, Manifest>, title: string) => objects.get(title)?.spec;

it('sets the fields of a load balancer, only at the public Service', () => {
  const service = {
    type: 'LoadBalancer',
    nodePort: 30080,
    ipFamilyPolicy: 'PreferDualStack',
    ipFamilies: ['IPv6', 'IPv4'],
    externalTrafficPolicy: 'Local',
    loadBalancerClass: 'example.com/internal',
    loadBalancerSourceRanges: ['10.0.0.0/8'],
  };
  const objects = rendered({ fleetApi: { service } });
  const { nodePort, ...fields } = service;
  expect(specOf(objects, 'Service gpu-observatory-fleet-api')).toMatchObject({
    ...fields,
    ports: [{ port: 80, nodePort }],
  });
  expect(specOf(objects, 'Service gpu-observatory-fleet-api-management')).not.toHaveProperty(
    'ipFamilyPolicy',
  );
});

it('names the protocol of the internal port', () => {
  const protocol = (values: object) =>
    specOf(rendered(values), 'Service gpu-observatory-account-service-internal')?.['ports'];
  expect(protocol({})).toMatchObject([{ appProtocol: 'http' }]);
  expect(protocol({ accountService: { internalTls: { existingSecret: 'tls' } } })).toMatchObject([
    { appProtocol: 'https' },
  ]);
});

it('omits the replicas of another autoscaler', () => {
  const objects = rendered({ fleetApi: { replicas: null } });
  expect(specOf(objects, 'Deployment gpu-observatory-fleet-api')).not.toHaveProperty('replicas');
  expect(specOf(objects, 'Deployment gpu-observatory-website-api')).toMatchObject({ replicas: 2 });
});

it.each(['ingress', 'gateway'])('has hosts, annotations and a switch per service: %s', (kind) => {
  const objects = rendered({
    ingress: { enabled: kind === 'ingress', annotations: { shared: 'all', own: 'none' } },
    gateway: { enabled: kind === 'gateway', parentRefs: [{ name: 'public' }] },
    fleetApi: { ingress: { enabled: false } },
    websiteApi: { ingress: { extraHosts: ['example.com'], annotations: { own: 'site' } }, tlsSecret: '' },
  });
  const title = kind === 'ingress' ? 'Ingress' : 'HTTPRoute';
  expect(objects.has(`${title} gpu-observatory-fleet-api`)).toBe(false);
  expect(objects.has(`${title} gpu-observatory-account-service`)).toBe(true);
  const hosts = ['www.example.com', 'example.com'];
  const site = objects.get(`${title} gpu-observatory-website-api`);
  if (kind === 'gateway') return expect(site?.spec).toMatchObject({ hostnames: hosts });
  expect(site?.metadata.annotations).toEqual({ shared: 'all', own: 'site' });
  expect(site?.spec).toMatchObject({ tls: [{ hosts }], rules: hosts.map((host) => ({ host })) });
  expect(JSON.stringify(site?.spec)).not.toContain('secretName');
});

it('places the pods of Jobs, collectors and tests', () => {
  const operations = {
    nodeSelector: { pool: 'operations' },
    tolerations: [{ key: 'pool', operator: 'Exists' }],
    affinity: { nodeAffinity: {} },
    priorityClassName: 'low',
  };
  const trial = parse(exampleValues().get('values-trial.yaml') ?? '') as object;
  const demo = manifestsOf(render({ values: { ...trial, operations } }));
  const objects = [...rendered({ operations }).values(), ...demo];
  const placed = objects.filter(
    ({ kind, metadata }) => /^(Job|CronJob|Pod)$/.test(kind) || metadata.name.endsWith('-collector-demo'),
  );
  const pods = placed.flatMap((object) => podOf(object) ?? []);
  expect(pods.length).toBeGreaterThan(10);
  for (const pod of pods) expect(pod).toMatchObject(operations);
});

it('publishes own posts from a volume, which containers may fill, with its own memory', () => {
  const content = {
    enabled: true,
    volume: { emptyDir: {} },
    initContainers: [{ name: 'git', image: 'images.example.com/git:1.0' }],
    resources: { limits: { memory: '2Gi' } },
  };
  const job = rendered({ websiteApi: { content } }).get('Job gpu-observatory-website-api-content');
  expect(podOf(job!)).toMatchObject({
    initContainers: content.initContainers,
    volumes: expect.arrayContaining([{ name: 'content', emptyDir: {} }]) as object,
    containers: [
      {
        args: ['dist/src/cli.js', 'content', 'sync', '/content'],
        resources: { limits: { memory: '2Gi' } },
        volumeMounts: expect.arrayContaining([
          { name: 'content', mountPath: '/content', readOnly: true },
        ]) as object,
      },
    ],
  });
  expect(rendered({}).has('Job gpu-observatory-website-api-content')).toBe(false);
});

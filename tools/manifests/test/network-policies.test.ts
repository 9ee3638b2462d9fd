import { cases } from './support/cases.ts';
import { render } from '../src/helm.ts';
import { type Manifest, manifestsOf, podOf } from './support/manifest.ts';

type Labels = Record<string, string>;
interface Rule {
  from?: { podSelector?: { matchLabels: Labels } }[];
  to?: { podSelector?: { matchLabels: Labels }; ipBlock?: { cidr: string; except?: string[] } }[];
  ports?: { protocol: string; port: number }[];
}
interface Policy {
  podSelector: { matchLabels: Labels };
  ingress?: Rule[];
  egress?: Rule[];
  policyTypes: string[];
}

const COMPONENT = 'app.kubernetes.io/component';
const objects = manifestsOf(render());
const policies = (of: Manifest[] = objects) =>
  of.filter(({ kind }) => kind === 'NetworkPolicy').map(({ spec }) => spec as unknown as Policy);

const labelsOf = (object: Manifest): Labels => {
  const { spec, metadata } = object as unknown as {
    metadata: { labels: Labels };
    spec: {
      template?: { metadata: { labels: Labels } };
      jobTemplate?: { spec: { template: { metadata: { labels: Labels } } } };
    };
  };
  return (spec.jobTemplate?.spec.template ?? spec.template)?.metadata.labels ?? metadata.labels;
};
const pods = objects.filter((object) => podOf(object)).map(labelsOf);
const selects = (selector: Labels, labels: Labels) =>
  Object.entries(selector).every(([key, value]) => labels[key] === value);
const applying = (component: string, of = policies()) =>
  of.filter(({ podSelector: { matchLabels } }) =>
    selects(matchLabels, pods.find((labels) => labels[COMPONENT] === component) ?? {}),
  );
const portsInto = (component: string, peer: string | null) =>
  applying(component)
    .flatMap(({ ingress = [] }) => ingress)
    .filter(
      ({ from }) =>
        !from ||
        from.some(({ podSelector }) => peer !== null && podSelector?.matchLabels[COMPONENT] === peer),
    )
    .flatMap(({ ports = [] }) => ports.map(({ port }) => port));
const portsOutOf = (component: string) =>
  applying(component)
    .flatMap(({ egress = [] }) => egress)
    .flatMap(({ ports = [] }) => ports.map(({ port }) => port));

it('denies ingress and egress by default for the pods of the release only', () => {
  const denying = policies().filter(({ ingress, egress }) => !ingress && !egress);
  expect(denying).toHaveLength(1);
  expect(denying[0]?.policyTypes).toEqual(['Ingress', 'Egress']);
  for (const labels of pods) expect(selects(denying[0]?.podSelector.matchLabels ?? {}, labels)).toBe(true);
  expect(denying[0]?.podSelector.matchLabels['app.kubernetes.io/instance']).toBe('gpu-observatory');
});

it('admits only monitoring to management ports, and only our services to the internal port', () => {
  for (const component of ['fleet-api', 'account-service', 'website-api'])
    expect(portsInto(component, null)).toEqual([8080]);
  expect(portsInto('account-service', 'fleet-api')).toEqual([8080, 9091]);
  expect(portsInto('account-service', 'website-api')).toEqual([8080, 9091]);
  expect(portsInto('account-service', 'contracts')).toEqual([8080]);
});

it('limits the egress of each pod to the ports it needs', () => {
  expect(new Set(pods.map((labels) => labels[COMPONENT]))).toEqual(
    new Set([
      'fleet-api',
      'account-service',
      'website-api',
      'fleet-api-operations',
      'account-service-operations',
      'website-api-operations',
      'fleet-api-migration',
      'account-service-migration',
      'website-api-migration',
      'console',
      'contracts',
    ]),
  );
  expect(portsOutOf('fleet-api')).toEqual([53, 53, 5432, 8080, 9091]);
  expect(portsOutOf('account-service')).toEqual([53, 53, 5432, 443]);
  expect(portsOutOf('website-api')).toEqual([53, 53, 5432, 9091]);
  for (const component of ['fleet-api', 'account-service', 'website-api']) {
    expect(portsOutOf(`${component}-operations`)).toEqual([53, 53, 5432]);
    expect(portsOutOf(`${component}-migration`)).toEqual([53, 53, 5432]);
  }
  expect(portsOutOf('contracts')).toEqual([53, 53, 8080]);
});

it('excludes cluster networks and cloud metadata from the egress of account-service', () => {
  const blocks = applying('account-service').flatMap(({ egress = [] }) =>
    egress.flatMap(({ to = [] }) => to.flatMap(({ ipBlock }) => (ipBlock?.except ? ipBlock : []))),
  );
  expect(blocks.find(({ cidr }) => cidr === '0.0.0.0/0')?.except).toEqual(
    expect.arrayContaining(['10.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.168.0.0/16']),
  );
});

it('admits fleet-api and the contract check to public ports that are limited to an ingress', () => {
  const all = policies(manifestsOf(render({ values: cases.everything ?? {} })));
  const rule = applying('account-service', all)
    .flatMap(({ ingress = [] }) => ingress)
    .find(({ ports = [] }) => ports[0]?.port === 8080);
  expect(rule?.ports).toEqual([{ protocol: 'TCP', port: 8080 }]);
  expect(rule?.from).toHaveLength(2);
  expect(rule?.from?.[1]?.podSelector?.matchLabels).not.toHaveProperty([COMPONENT]);
});

it('allows DNS on the ports of the DNS pods', () => {
  const all = policies(manifestsOf(render({ values: { networkPolicy: { dnsPorts: [5353] } } })));
  const ports = all.flatMap(({ egress = [] }) => egress.flatMap(({ ports: allowed = [] }) => allowed));
  expect(ports.filter(({ protocol }) => protocol === 'UDP').map(({ port }) => port)).toContain(5353);
  expect(ports.map(({ port }) => port)).not.toContain(53);
});

it('adds the rules of a service mesh to every pod, also to those that run before the other objects', () => {
  const extraIngress = [{ ports: [{ port: 15_008, protocol: 'TCP' }] }];
  const extraEgress = [{ ports: [{ port: 15_012, protocol: 'TCP' }] }];
  const all = policies(manifestsOf(render({ values: { networkPolicy: { extraIngress, extraEgress } } })));
  for (const labels of pods) {
    const component = labels[COMPONENT]!;
    const isJob = component.endsWith('-migration');
    const own = applying(component, all).filter(
      ({ podSelector: { matchLabels } }) => !isJob || matchLabels[COMPONENT] === component,
    );
    expect(own.flatMap(({ ingress = [] }) => ingress)).toEqual(expect.arrayContaining(extraIngress));
    expect(own.flatMap(({ egress = [] }) => egress)).toEqual(expect.arrayContaining(extraEgress));
  }
});

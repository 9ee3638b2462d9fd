import { type Container, containersOf, type Manifest, type PodSpec, podOf, titleOf } from './manifest.ts';

/** What a pod may not be, each with how it is told: the restricted Pod Security Standard and our own habits. */
const OF_PODS: Record<string, (pod: PodSpec) => boolean> = {
  'runs as root': ({ securityContext }) =>
    securityContext?.['runAsNonRoot'] !== true || securityContext['runAsUser'] === 0,
  'has no seccomp profile': ({ securityContext }) =>
    (securityContext?.['seccompProfile'] as { type?: string } | undefined)?.type !== 'RuntimeDefault',
  'mounts a token of the API server': (pod) => pod['automountServiceAccountToken'] !== false,
  'learns of other Services by its environment': (pod) => pod['enableServiceLinks'] !== false,
  'uses a namespace of the host': (pod) =>
    ['hostNetwork', 'hostPID', 'hostIPC'].some((field) => pod[field] !== undefined),
  'mounts a path of the host': (pod) =>
    ((pod['volumes'] ?? []) as object[]).some((volume) => 'hostPath' in volume),
};

const OF_CONTAINERS: Record<string, (container: Container) => boolean> = {
  'may gain privileges': ({ securityContext }) =>
    securityContext?.['allowPrivilegeEscalation'] !== false || securityContext['privileged'] === true,
  'writes to its file system': ({ securityContext }) => securityContext?.['readOnlyRootFilesystem'] !== true,
  'keeps capabilities': ({ securityContext }) =>
    JSON.stringify(securityContext?.['capabilities']) !== '{"drop":["ALL"]}',
  'has no requests and limits of CPU and memory': ({ resources }) =>
    [resources?.requests, resources?.limits].some((kind) => !kind?.['cpu'] || !kind['memory']),
  'has an image without a version': ({ image }) => !/(:(?!latest$)[^/:]+|@sha256:[a-f0-9]{64})$/.test(image),
  'has a secret in its environment': ({ env = [] }) =>
    env.some(({ name, value }) => value !== undefined && isSecret(name, value)),
};

const OF_OBJECTS: Record<string, (object: Manifest) => boolean> = {
  'is a Secret': ({ kind }) => kind === 'Secret',
  'has rights in the cluster': ({ kind }) => /Role/.test(kind),
  'opens a port of nodes': ({ kind, spec }) => kind === 'Service' && spec?.['type'] !== 'ClusterIP',
  'can block a drain': ({ kind, spec }) =>
    kind === 'PodDisruptionBudget' &&
    (spec?.['minAvailable'] !== undefined || spec?.['maxUnavailable'] === 0),
  'has no name of its release': ({ metadata }) => !metadata.labels?.['app.kubernetes.io/instance'],
};

/** A name of a secret, or an address with a password in it. */
function isSecret(name: string, value: string): boolean {
  return (
    /(SECRET|CREDENTIAL|PASSWORD|_TOKEN)$|^(.*_)?DATABASE_URL$/.test(name) || /:\/\/[^/]*:[^/]*@/.test(value)
  );
}

/** A line for each rule that an object breaks. */
export function policyFaults(object: Manifest): string[] {
  const faults = brokenBy(OF_OBJECTS, object);
  const pod = podOf(object);
  if (pod)
    faults.push(
      ...brokenBy(OF_PODS, pod),
      ...containersOf(pod).flatMap((one) => brokenBy(OF_CONTAINERS, one)),
    );
  return faults.map((fault) => `${titleOf(object)} ${fault}`);
}

function brokenBy<Subject>(rules: Record<string, (subject: Subject) => boolean>, subject: Subject): string[] {
  return Object.entries(rules).flatMap(([fault, isBroken]) => (isBroken(subject) ? fault : []));
}

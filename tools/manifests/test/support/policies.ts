import { type Container, containersOf, type Manifest, type PodSpec, podOf, titleOf } from './manifest.ts';

/**
 * Violations of the restricted Pod Security Standard and of our own rules.
 * https://kubernetes.io/docs/concepts/security/pod-security-standards/
 */
const POD_VIOLATIONS: Record<string, (pod: PodSpec) => boolean> = {
  'runs as root': ({ securityContext }) =>
    securityContext?.['runAsNonRoot'] !== true || securityContext['runAsUser'] === 0,
  'has no seccomp profile': ({ securityContext }) =>
    (securityContext?.['seccompProfile'] as { type?: string } | undefined)?.type !== 'RuntimeDefault',
  'mounts an API server token': (pod) => pod['automountServiceAccountToken'] !== false,
  'receives Service addresses as environment variables': (pod) => pod['enableServiceLinks'] !== false,
  'uses a host namespace': (pod) =>
    ['hostNetwork', 'hostPID', 'hostIPC'].some((field) => pod[field] !== undefined),
  'mounts a host path': (pod) => ((pod['volumes'] ?? []) as object[]).some((volume) => 'hostPath' in volume),
};

const CONTAINER_VIOLATIONS: Record<string, (container: Container) => boolean> = {
  'can gain privileges': ({ securityContext }) =>
    securityContext?.['allowPrivilegeEscalation'] !== false || securityContext['privileged'] === true,
  'writes to its file system': ({ securityContext }) => securityContext?.['readOnlyRootFilesystem'] !== true,
  'keeps capabilities': ({ securityContext }) =>
    JSON.stringify(securityContext?.['capabilities']) !== '{"drop":["ALL"]}',
  'lacks CPU or memory requests or limits': ({ resources }) =>
    [resources?.requests, resources?.limits].some((kind) => !kind?.['cpu'] || !kind['memory']),
  'has an unversioned image': ({ image }) => !/(:(?!latest$)[^/:]+|@sha256:[a-f0-9]{64})$/.test(image),
  'has a secret in its environment': ({ env = [] }) =>
    env.some(({ name, value }) => value !== undefined && isSecret(name, value)),
};

const OBJECT_VIOLATIONS: Record<string, (object: Manifest) => boolean> = {
  'is a Secret': ({ kind }) => kind === 'Secret',
  'grants cluster permissions': ({ kind }) => /Role/.test(kind),
  'exposes a port other than the public one': ({ kind, spec, metadata }) =>
    kind === 'Service' &&
    spec?.['type'] !== 'ClusterIP' &&
    metadata.labels?.['gpu-observatory/port'] !== 'public',
  'can block a drain': ({ kind, spec }) =>
    kind === 'PodDisruptionBudget' &&
    (spec?.['minAvailable'] !== undefined || spec?.['maxUnavailable'] === 0),
  'lacks the release label': ({ metadata }) => !metadata.labels?.['app.kubernetes.io/instance'],
};

/** Detects a variable name of a secret, or a URL with a password. */
function isSecret(name: string, value: string): boolean {
  return (
    // A reference to another variable contains no secret.
    (/(SECRET|CREDENTIAL|PASSWORD|_TOKEN)$|^(.*_)?DATABASE_URL$/.test(name) && !/^\$\(/.test(value)) ||
    /:\/\/[^/]*:[^/]*@/.test(value)
  );
}

/** Lists the violations of an object, one line each. */
export function policyViolations(object: Manifest): string[] {
  const violations = violationsOf(OBJECT_VIOLATIONS, object);
  const pod = podOf(object);
  if (pod)
    violations.push(
      ...violationsOf(POD_VIOLATIONS, pod),
      ...containersOf(pod).flatMap((container) => violationsOf(CONTAINER_VIOLATIONS, container)),
    );
  return violations.map((violation) => `${titleOf(object)} ${violation}`);
}

function violationsOf<Subject>(
  rules: Record<string, (subject: Subject) => boolean>,
  subject: Subject,
): string[] {
  return Object.entries(rules).flatMap(([violation, isViolated]) => (isViolated(subject) ? violation : []));
}

import { isDeepStrictEqual } from 'node:util';
import { parseAllDocuments } from 'yaml';

/** A Kubernetes object. `type-check.ts` checks its fields. */
export interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: {
    name: string;
    namespace?: string;
    labels?: Record<string, string>;
    annotations?: Record<string, string>;
  };
  spec?: Record<string, unknown>;
  data?: Record<string, string>;
  automountServiceAccountToken?: boolean;
}

export interface EnvironmentVariable {
  name: string;
  value?: string;
  valueFrom?: { secretKeyRef?: { name: string; key: string } };
}

export interface Container {
  name: string;
  image: string;
  args: string[];
  env?: EnvironmentVariable[];
  volumeMounts?: { name: string; mountPath: string; readOnly?: boolean }[];
  resources?: { requests?: Record<string, string>; limits?: Record<string, string> };
  securityContext?: Record<string, unknown>;
}

export interface PodSpec {
  containers: Container[];
  initContainers?: Container[];
  serviceAccountName?: string;
  securityContext?: Record<string, unknown>;
  [field: string]: unknown;
}

/** @throws {Error} for malformed YAML, including duplicate keys */
export function manifestsOf(yaml: string): Manifest[] {
  return parseAllDocuments(yaml).flatMap((document) => {
    const [error] = document.errors;
    if (error) throw error;
    return (document.toJSON() as Manifest | null) ?? [];
  });
}

/** Returns the pod template of an object, if it has one. */
export function podOf({ kind, spec }: Manifest): PodSpec | undefined {
  const template = (parent: unknown) => (parent as { template: { spec: PodSpec } }).template.spec;
  switch (kind) {
    case 'Pod':
      return spec as PodSpec;
    case 'Deployment':
    case 'Job':
      return template(spec);
    case 'CronJob':
      return template((spec as { jobTemplate: { spec: unknown } }).jobTemplate.spec);
    default:
      return undefined;
  }
}

export const containersOf = (pod: PodSpec) => [...(pod.initContainers ?? []), ...pod.containers];

/** Returns kind and name, such as `Deployment gpu-observatory-fleet-api`. */
export const titleOf = ({ kind, metadata }: Manifest) => `${kind} ${metadata.name}`;

/** Lists the objects that differ between two renders. The order of keys does not matter. */
export function differingObjects(one: string, other: string): string[] {
  const [before, after] = [one, other].map(
    (yaml) => new Map(manifestsOf(yaml).map((object) => [titleOf(object), object])),
  ) as [Map<string, Manifest>, Map<string, Manifest>];
  return [...new Set([...before.keys(), ...after.keys()])].filter(
    (title) => !isDeepStrictEqual(before.get(title), after.get(title)),
  );
}

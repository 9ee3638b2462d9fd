import { parseAllDocuments } from 'yaml';

/** An object of Kubernetes as it is written. What it is made of is checked against Kubernetes' types, by the tests. */
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

/** @throws {Error} for YAML that is not well formed, a key that is given twice among it */
export function manifestsOf(yaml: string): Manifest[] {
  return parseAllDocuments(yaml).flatMap((document) => {
    const [fault] = document.errors;
    if (fault) throw fault;
    return (document.toJSON() as Manifest | null) ?? [];
  });
}

/** The pods that an object makes, if it makes any. */
export function podOf({ kind, spec }: Manifest): PodSpec | undefined {
  const template = (holder: unknown) => (holder as { template: { spec: PodSpec } }).template.spec;
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

/** `Deployment gpu-observatory-fleet-api`, as failures name it. */
export const titleOf = ({ kind, metadata }: Manifest) => `${kind} ${metadata.name}`;

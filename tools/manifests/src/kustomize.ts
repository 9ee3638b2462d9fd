import { join } from 'node:path';
import { programFrom, run } from './program.ts';
import { root } from './root.ts';

const kustomize = programFrom(
  'kustomize/run.js',
  ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64'],
  'kustomize',
);

/**
 * What `kubectl apply -k` would send to a cluster, as YAML.
 *
 * @param folder within k8s/
 * @throws {Refused} with kustomize's message
 */
export function build(folder: string): string {
  return run(kustomize, ['build', join(root, 'k8s', folder)]);
}

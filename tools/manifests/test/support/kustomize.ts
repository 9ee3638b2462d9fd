import { join } from 'node:path';
import { programFrom, run } from '../../src/program.ts';
import { root } from '../../src/root.ts';

const kustomize = programFrom(
  'kustomize/run.js',
  ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64'],
  'kustomize',
);

/**
 * Builds the YAML that `kubectl apply -k` would send to a cluster.
 *
 * @param folder within k8s/
 */
export function build(folder: string): string {
  return run(kustomize, ['build', join(root, 'k8s', folder)]);
}

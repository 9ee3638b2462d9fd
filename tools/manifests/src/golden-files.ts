import { render } from './helm.ts';
import { cases } from './cases.ts';

/**
 * A case whose render is committed, so that a diff shows the effect of a template change. The kustomize base shows it for the
 * default values.
 */
const GOLDEN = 'fleet-api alone';

/** Generates the golden render by its path from the root. */
export function goldenFiles(): Map<string, string> {
  return new Map([
    [`tools/manifests/golden/${GOLDEN.replaceAll(' ', '-')}.yaml`, render({ values: cases[GOLDEN] ?? {} })],
  ]);
}

import { render } from './helm.ts';
import { cases } from './cases.ts';

/** Cases whose whole render is committed, so that a change of a template shows in the diff as what it does. */
const GOLDEN = ['everything', 'fleet-api alone'];

/** By their path from the root. */
export function goldenFiles(): Map<string, string> {
  return new Map(
    GOLDEN.map((name) => [
      `tools/manifests/golden/${name.replaceAll(' ', '-')}.yaml`,
      render({ values: cases[name] ?? {} }),
    ]),
  );
}

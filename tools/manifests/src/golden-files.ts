import { render } from './helm.ts';
import { cases } from './cases.ts';

/** Cases whose render is committed, so that a diff shows the effect of a template change. */
const GOLDEN = ['everything', 'fleet-api alone'];

/** Generates the golden renders by their path from the root. */
export function goldenFiles(): Map<string, string> {
  return new Map(
    GOLDEN.map(
      (name) =>
        [
          `tools/manifests/golden/${name.replaceAll(' ', '-')}.yaml`,
          render({ values: cases[name] ?? {} }),
        ] as const,
    ),
  );
}

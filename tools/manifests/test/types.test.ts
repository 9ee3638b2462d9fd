import { cases } from './support/cases.ts';
import { HOOKS } from '../src/generated-files.ts';
import { render } from '../src/helm.ts';
import { build } from './support/kustomize.ts';
import { type Manifest, manifestsOf, titleOf } from './support/manifest.ts';
import { modelOf, typeErrors } from './support/type-check.ts';
import { examples } from './support/examples.ts';

const manifests = [
  ...Object.values(cases).map((values) => render({ values })),
  ...['base', 'production', ...Object.keys(HOOKS).map((folder) => `production/${folder}`)].map((folder) =>
    build(`kustomize/${folder}`),
  ),
]
  .flatMap(manifestsOf)
  .concat(examples());

/** Equal objects are checked once, because compile time dominates the test. */
const distinct = [...new Map(manifests.map((object) => [JSON.stringify(object), object])).values()];

it('finds no unknown field and no wrong type', () => {
  expect(distinct.length).toBeGreaterThan(100);
  expect(typeErrors(distinct)).toEqual([]);
});

it('uses only values that the Kubernetes models accept', async () => {
  for (const object of distinct) {
    const model = (await import(modelOf(object))) as Record<
      string,
      new (data: Manifest) => { validate(): void }
    >;
    const Kind = model[object.kind];
    if (Kind === undefined)
      throw new Error(`${titleOf(object)} has a kind that ${modelOf(object)} does not define`);
    expect(() => new Kind(object).validate()).not.toThrow();
  }
});

it('reports an unknown field at any depth, a wrong type and a missing field', () => {
  const [deployment] = manifestsOf(render()).filter(({ kind }) => kind === 'Deployment');
  const broken = (change: (text: string) => string) =>
    typeErrors([JSON.parse(change(JSON.stringify(deployment))) as Manifest]).join('\n');
  expect(broken((text) => text)).toBe('');
  expect(broken((text) => text.replace('"runAsNonRoot"', '"runAsNonroot"'))).toContain('runAsNonroot');
  expect(broken((text) => text.replace('"periodSeconds":2', '"periodSeconds":"2s"'))).toContain(
    'periodSeconds',
  );
  expect(broken((text) => text.replace('"topologyKey"', '"topology"'))).toContain('topology');
  expect(broken((text) => text.replace('"replicas"', '"replica"'))).toContain('replica');
});

import { cases } from '../src/cases.ts';
import { render } from '../src/helm.ts';
import { build } from '../src/kustomize.ts';
import { type Manifest, manifestsOf, titleOf } from '../src/manifest.ts';
import { modelOf, typeFaults } from '../src/typed.ts';
import { examples } from './support/examples.ts';

const manifests = [
  ...Object.values(cases).map((values) => render({ values })),
  ...['base', 'migrations', 'production', 'production/migrations'].map((name) => build(`kustomize/${name}`)),
]
  .flatMap(manifestsOf)
  .concat(examples());

/** Of objects that are the same but for a name or a value one is enough: the compiler's time is the test's. */
const different = [...new Map(manifests.map((object) => [JSON.stringify(object), object])).values()];

it('knows every field of every object, each of its type', () => {
  expect(different.length).toBeGreaterThan(100);
  expect(typeFaults(different)).toEqual([]);
});

it('gives each field a value that Kubernetes takes', async () => {
  for (const object of different) {
    const model = (await import(modelOf(object))) as Record<
      string,
      new (data: Manifest) => { validate(): void }
    >;
    const Kind = model[object.kind];
    if (Kind === undefined)
      throw new Error(`${titleOf(object)} is of a kind that ${modelOf(object)} does not know`);
    expect(() => new Kind(object).validate()).not.toThrow();
  }
});

it('would find a field that does not exist, at any depth, a wrong type and a missing one', () => {
  const [deployment] = manifestsOf(render()).filter(({ kind }) => kind === 'Deployment');
  const broken = (change: (text: string) => string) =>
    typeFaults([JSON.parse(change(JSON.stringify(deployment))) as Manifest]).join('\n');
  expect(broken((text) => text)).toBe('');
  expect(broken((text) => text.replace('"runAsNonRoot"', '"runAsNonroot"'))).toContain('runAsNonroot');
  expect(broken((text) => text.replace('"periodSeconds":2', '"periodSeconds":"2s"'))).toContain(
    'periodSeconds',
  );
  expect(broken((text) => text.replace('"topologyKey"', '"topology"'))).toContain('topology');
  expect(broken((text) => text.replace('"replicas"', '"replica"'))).toContain('replica');
});

import { fileURLToPath } from 'node:url';
import { Spec, Validation } from '@cyclonedx/cyclonedx-library';
import { billOfMaterials } from '../src/bill-of-materials.ts';
import { IMAGES } from '../src/images.ts';
import { productionPackages } from '../src/production-packages.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

interface Bill {
  metadata: { component: { name: string; version: string } };
  components: { 'bom-ref': string; purl?: string; hashes?: { alg: string; content: string }[] }[];
  dependencies: { ref: string; dependsOn?: string[] }[];
}

describe.each(Object.entries(IMAGES))('the bill of materials of %s', (_image, { workspace }) => {
  const packages = productionPackages(root, workspace);
  const text = billOfMaterials(packages);
  const bill = JSON.parse(text) as Bill;

  it('is valid CycloneDX', async () => {
    const validator = new Validation.JsonStrictValidator(Spec.Version.v1dot6);
    expect(await validator.validate(text)).toBeNull();
  });

  it('lists every package, and what each one needs', () => {
    const [subject, ...components] = packages;
    expect(bill.metadata.component.version).toBe(subject?.version);
    expect(bill.components.map((component) => component['bom-ref']).sort()).toEqual(
      components.map(({ place }) => place).sort(),
    );
    const needs = new Map(bill.dependencies.map(({ ref, dependsOn }) => [ref, dependsOn ?? []]));
    for (const { place, needs: expected } of packages)
      expect([...needs.get(place)!].sort()).toEqual([...new Set(expected)].sort());
  });

  it('has the digest of everything that came from a registry', () => {
    const fetched = bill.components.filter(({ purl }) => purl !== undefined);
    expect(fetched.length).toBeGreaterThan(3);
    for (const { hashes } of fetched)
      expect(hashes).toEqual([{ alg: 'SHA-512', content: expect.stringMatching(/^[0-9a-f]{128}$/) }]);
  });

  it('is the same each time', () => {
    expect(billOfMaterials(productionPackages(root, workspace))).toBe(text);
  });
});

it('tells two versions of one package apart', () => {
  const bill = JSON.parse(
    billOfMaterials([
      { place: 'apps/a', name: 'a', version: '1.0.0', needs: ['node_modules/b', 'node_modules/@c/b'] },
      { place: 'node_modules/b', name: 'b', version: '1.0.0', needs: ['node_modules/b/node_modules/@c/b'] },
      { place: 'node_modules/@c/b', name: '@c/b', version: '2.0.0', needs: [] },
      { place: 'node_modules/b/node_modules/@c/b', name: '@c/b', version: '1.0.0', needs: [] },
    ]),
  ) as Bill;
  expect(bill.components.map(({ purl }) => purl).sort()).toEqual([
    'pkg:npm/%40c/b@1.0.0',
    'pkg:npm/%40c/b@2.0.0',
    'pkg:npm/b@1.0.0',
  ]);
});

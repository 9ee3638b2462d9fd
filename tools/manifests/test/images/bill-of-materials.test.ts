import { Spec, Validation } from '@cyclonedx/cyclonedx-library';
import { billOfMaterials } from '../../src/images/bill-of-materials.ts';
import { IMAGES } from '../../src/images/images.ts';
import { productionPackages } from '../../src/images/production-packages.ts';
import { root } from '../../src/root.ts';

interface Bill {
  metadata: { component: { name: string; version: string } };
  components: { 'bom-ref': string; purl?: string; hashes?: { alg: string; content: string }[] }[];
  dependencies: { ref: string; dependsOn?: string[] }[];
}

describe.each(Object.entries(IMAGES))('bill of materials of %s', (_image, { workspace }) => {
  const packages = productionPackages(root, workspace);
  const text = billOfMaterials(packages);
  const bill = JSON.parse(text) as Bill;

  it('is valid CycloneDX', async () => {
    const validator = new Validation.JsonStrictValidator(Spec.Version.v1dot6);
    expect(await validator.validate(text)).toBeNull();
  });

  it('lists all packages with their dependencies', () => {
    const [subject, ...components] = packages;
    expect(bill.metadata.component.version).toBe(subject?.version);
    expect(bill.components.map((component) => component['bom-ref']).sort()).toEqual(
      components.map(({ path }) => path).sort(),
    );
    const dependencies = new Map(bill.dependencies.map(({ ref, dependsOn }) => [ref, dependsOn ?? []]));
    for (const { path, dependencies: expected } of packages)
      expect([...dependencies.get(path)!].sort()).toEqual([...new Set(expected)].sort());
  });

  it('has the digest and the license of each package', () => {
    expect(bill.components.length).toBeGreaterThan(3);
    for (const component of bill.components) {
      expect(component).toMatchObject({
        hashes: [{ alg: 'SHA-512', content: expect.stringMatching(/^[0-9a-f]{128}$/) as string }],
        licenses: [expect.anything()],
      });
    }
  });

  it('is deterministic', () => {
    expect(billOfMaterials(productionPackages(root, workspace))).toBe(text);
  });
});

it('lists two versions of a package separately', () => {
  const bill = JSON.parse(
    billOfMaterials([
      { path: 'apps/a', name: 'a', version: '1.0.0', dependencies: ['node_modules/b', 'node_modules/@c/b'] },
      {
        path: 'node_modules/b',
        name: 'b',
        version: '1.0.0',
        dependencies: ['node_modules/b/node_modules/@c/b'],
      },
      { path: 'node_modules/@c/b', name: '@c/b', version: '2.0.0', dependencies: [] },
      { path: 'node_modules/b/node_modules/@c/b', name: '@c/b', version: '1.0.0', dependencies: [] },
    ]),
  ) as Bill;
  expect(bill.components.map(({ purl }) => purl).sort()).toEqual([
    'pkg:npm/%40c/b@1.0.0',
    'pkg:npm/%40c/b@2.0.0',
    'pkg:npm/b@1.0.0',
  ]);
});

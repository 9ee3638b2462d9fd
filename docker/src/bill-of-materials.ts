import { Enums, Models, Serialize, Spec } from '@cyclonedx/cyclonedx-library';
import type { LockedPackage } from './production-packages.ts';

/** The scope of our own packages, which no registry has. */
const OWN_SCOPE = '@gpu-observatory/';

/**
 * A CycloneDX 1.6 bill of materials as JSON: the first package is what the bill is about, the others its components,
 * each with its package URL, licence, digest, and what it depends on. The same packages give the same bytes, so that a
 * difference between two bills is a difference between two images.
 */
export function billOfMaterials(packages: readonly LockedPackage[]): string {
  const [subject, ...components] = packages.map((locked) => ({ locked, component: componentOf(locked) }));
  if (!subject) throw new Error('A bill of materials is about a package.');
  const bom = new Models.Bom();
  subject.component.type = Enums.ComponentType.Application;
  bom.metadata.component = subject.component;
  const byPlace = new Map([subject, ...components].map(({ locked, component }) => [locked.place, component]));
  for (const { locked, component } of [subject, ...components]) {
    for (const need of locked.needs) component.dependencies.add(byPlace.get(need)!.bomRef);
    if (component !== subject.component) bom.components.add(component);
  }
  const factory = new Serialize.JSON.Normalize.Factory(Spec.Spec1dot6);
  return `${new Serialize.JsonSerializer(factory).serialize(bom, { sortLists: true, space: 2 })}\n`;
}

function componentOf({ place, name, version, license, integrity }: LockedPackage): Models.Component {
  const [scope, bare] = name.startsWith('@') ? (name.split('/') as [string, string]) : [undefined, name];
  const hashes = new Models.HashDictionary();
  for (const digest of integrity?.split(' ') ?? []) {
    const [algorithm, base64] = digest.split('-') as [string, string];
    if (algorithm === 'sha512')
      hashes.set(Enums.HashAlgorithm['SHA-512'], Buffer.from(base64, 'base64').toString('hex'));
  }
  const component = new Models.Component(Enums.ComponentType.Library, bare, {
    ...(scope === undefined ? {} : { group: scope }),
    version,
    bomRef: place,
    hashes,
    // https://github.com/package-url/purl-spec: a scope's @ is percent-encoded.
    ...(name.startsWith(OWN_SCOPE)
      ? {}
      : { purl: `pkg:npm/${scope === undefined ? '' : `${encodeURIComponent(scope)}/`}${bare}@${version}` }),
  });
  if (license !== undefined) component.licenses.add(new Models.LicenseExpression(license));
  return component;
}

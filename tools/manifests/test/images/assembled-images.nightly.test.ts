import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { assemble } from '../../src/images/assemble.ts';
import { IMAGES } from '../../src/images/images.ts';
import { productionPackages } from '../../src/images/production-packages.ts';
import { root } from '../../src/root.ts';

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

it('the image of the console contains its build and server, with the packages that serve files', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gpu-observatory-image-'));
  try {
    assemble('console', folder);
    expect(readdirSync(folder)).toEqual(['apps', 'node_modules']);
    const packages = ['@polka/url', 'mrmime', 'sirv', 'totalist'];
    expect(packagesIn(folder)).toEqual(packages.map((name) => `node_modules/${name}`));
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

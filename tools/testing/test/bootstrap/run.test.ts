import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runBootstrap, lock, makeClone, packageJson, writeJson, writeProgram } from './support/clone.ts';

let clone: string;

beforeAll(() => {
  clone = makeClone();
});

afterAll(() => rmSync(clone, { recursive: true }));

const nxCalls = () => readFileSync(join(clone, 'nx-calls.txt'), 'utf8').trim().split('\n');

/** Arguments as in package.json. */
const START = ['--build', 'tools/local-stack/src/main.ts'];
const SBOM = ['--dev', 'tools/manifests/src/images/sbom.ts'];

/** A program that prints the received signals and exits 900 ms after the first one. */
const server = `
let signals = [];
const alive = setInterval(() => {}, 1000);
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => {
  signals.push(signal);
  if (signals.length === 1) setTimeout(() => { console.log(signals.join()); clearInterval(alive); process.exit(3); }, 900);
});
console.log('ready');
`;

test('installs and builds in a fresh clone, even with NODE_ENV=production, and only once', async () => {
  writeProgram(clone, `console.log('up' as string);`);
  const first = await runBootstrap(clone, START, { NODE_ENV: 'production' }).ended;
  expect(first.stdout).toBe('up\n');
  expect(first.stderr).toMatch(/^Installing packages [^]*\nInstalled in \d+ s\.\nBuilt in \d+ s\.\n$/);
  expect(first.exitCode).toBe(0);

  const second = await runBootstrap(clone, START).ended;
  expect(second).toEqual({ exitCode: 0, stdout: 'up\n', stderr: '' });
  expect(nxCalls()).toEqual(['run-many -t build --output-style=static']);
});

test.each([
  ['a changed file', () => writeFileSync(source('main.ts'), 'changed')],
  ['a removed file', () => rmSync(source('unused.ts'))],
  ['another lockfile', () => lock(clone)],
  ['a missing output', () => rmSync(join(clone, 'apps', 'service', 'dist'), { recursive: true })],
])('builds again after %s', async (_change, change) => {
  const calls = nxCalls().length;
  change();
  for (let runs = 0; runs < 2; runs++) {
    expect(await runBootstrap(clone, START).ended).toMatchObject({ exitCode: 0, stdout: 'up\n' });
    expect(nxCalls()).toHaveLength(calls + 1);
  }
});

const source = (name: string) => join(clone, 'apps', 'service', 'src', name);

const runner = () => existsSync(join(clone, 'node_modules', 'runner'));

test('adds the development packages for a command that needs them, without deleting the others', async () => {
  expect(runner()).toBe(false);
  const mark = join(clone, 'node_modules', '.kept');
  writeFileSync(mark, '');
  writeProgram(clone, `console.log('tested');`, SBOM[1]);
  const { stdout, stderr } = await runBootstrap(clone, SBOM).ended;
  expect(stdout).toBe('tested\n');
  expect(stderr).toMatch(
    /^Installing development packages \(npm install\)\.\n(?: {2}… \d+ s\n)*Installed in \d+ s\.\n$/,
  );
  expect(runner()).toBe(true);
  expect(existsSync(mark)).toBe(true);
  expect(await runBootstrap(clone, START).ended).toEqual({ exitCode: 0, stdout: 'up\n', stderr: '' });
  expect(runner()).toBe(true);
});

test('installs everything again after a killed installation of development packages', async () => {
  writeFileSync(join(clone, 'node_modules', '.addition'), '');
  expect((await runBootstrap(clone, START).ended).stderr).toBe('');
  expect((await runBootstrap(clone, SBOM).ended).stderr).toContain('Installing packages (npm ci).');
  expect((await runBootstrap(clone, SBOM).ended).stderr).toBe('');
});

test('installs again when the lockfile has changed', async () => {
  mkdirSync(join(clone, 'extra'));
  writeJson(join(clone, 'extra', 'package.json'), { name: 'extra', version: '1.0.0' });
  writeJson(join(clone, 'package.json'), {
    ...packageJson,
    dependencies: { ...packageJson.dependencies, extra: 'file:extra' },
  });
  lock(clone);
  const { stderr } = await runBootstrap(clone, START).ended;
  expect(stderr).toContain('Installing packages');
  // The clone of a contributor.
  expect(runner()).toBe(true);
});

test('passes through arguments, standard input and the exit code', async () => {
  writeProgram(
    clone,
    `let text = '';
     for await (const chunk of process.stdin) text += chunk;
     console.log(JSON.stringify({ args: process.argv.slice(2), text }));
     process.exitCode = 7;`,
  );
  const { child, ended } = runBootstrap(clone, [...START, '--flag', 'two words', '-']);
  child.stdin!.end('from a pipe');
  const { exitCode, stdout } = await ended;
  expect(JSON.parse(stdout)).toEqual({ args: ['--flag', 'two words', '-'], text: 'from a pipe' });
  expect(exitCode).toBe(7);
});

test('runs the program with Node 24 and node_modules/.bin first in PATH', async () => {
  writeProgram(clone, `console.log(process.version + ' ' + process.env.PATH);`);
  const { stdout } = await runBootstrap(clone, START).ended;
  expect(stdout).toMatch(/^v24\./);
  expect(stdout).toContain(` ${join(clone, 'node_modules', '.bin')}:`);
});

test('forwards repeated Ctrl-C once and waits for the program', async () => {
  writeProgram(clone, server);
  const { child, ended } = runBootstrap(clone, START);
  await once(child.stdout!, 'data');
  child.kill('SIGINT');
  child.kill('SIGINT');
  expect(await ended).toMatchObject({ exitCode: 3, stdout: 'ready\nSIGINT\n' });
});

test('stops the program when run.mjs is killed', async () => {
  writeProgram(clone, server);
  const { child, ended } = runBootstrap(clone, START);
  await once(child.stdout!, 'data');
  child.kill('SIGKILL');
  // The pipe closes when the program exits, which shares it.
  expect((await ended).stdout).toBe('ready\nSIGTERM\n');
});

test('waits for another command that is installing or building', async () => {
  writeProgram(clone, `console.log('up');`);
  rmSync(join(clone, 'node_modules'), { recursive: true });
  const both = await Promise.all([runBootstrap(clone, START).ended, runBootstrap(clone, START).ended]);
  expect(both.map(({ stdout }) => stdout)).toEqual(['up\n', 'up\n']);
  const messages = both.map(({ stderr }) => stderr).join('');
  expect(messages.match(/Installing packages/g)).toHaveLength(1);
  expect(messages).toMatch(/Waiting for process \d+, which is installing or building here\./);
});

test('ignores the lock of a killed command', async () => {
  writeFileSync(join(clone, '.nx', 'bootstrap.lock'), '4194303');
  expect((await runBootstrap(clone, START).ended).stdout).toBe('up\n');
});

test('prints the output of a failed build and exits', async () => {
  writeFileSync(join(clone, 'broken'), '');
  writeFileSync(source('main.ts'), 'broken');
  const { exitCode, stdout, stderr } = await runBootstrap(clone, START).ended;
  rmSync(join(clone, 'broken'));
  expect(stderr).toMatch(/^output of the build\n.*\nThe build failed \(see above\)\.\n$/);
  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
});

test.each([
  [
    'an old Node version',
    `Object.defineProperty(process.versions, 'node', { value: '20.18.3' });`,
    /Node 20\.18\.3 is too old/,
  ],
  [
    'Windows',
    `Object.defineProperty(process, 'platform', { value: 'win32' });`,
    /Windows is not supported.* WSL/,
  ],
  [
    'an old Node on a platform without a package of Node',
    `Object.defineProperty(process, 'version', { value: 'v24.10.0' });
     Object.defineProperty(process, 'arch', { value: 'arm64' });
     Object.defineProperty(process, 'platform', { value: 'darwin' });`,
    /no package of Node for darwin-arm64.* install Node 24\.11 or later/,
  ],
])('rejects %s before an install', async (_what, source, message) => {
  rmSync(join(clone, 'node_modules'), { recursive: true, force: true });
  const preload = join(clone, 'preload.mjs');
  writeFileSync(preload, source);
  const { exitCode, stderr } = await runBootstrap(clone, START, { NODE_OPTIONS: `--import "${preload}"` })
    .ended;
  expect(exitCode).toBe(1);
  expect(stderr).toMatch(message);
  expect(existsSync(join(clone, 'node_modules'))).toBe(false);
});

test('explains an install without a network', async () => {
  const path = join(clone, 'package-lock.json');
  const lockfile = JSON.parse(readFileSync(path, 'utf8')) as { packages: Record<string, object> };
  const dependencies = { nx: 'file:nx', 'not-installed-anywhere': '1.0.0' };
  writeJson(join(clone, 'package.json'), { name: 'clone', dependencies });
  lockfile.packages[''] = { ...lockfile.packages[''], dependencies };
  lockfile.packages['node_modules/not-installed-anywhere'] = { version: '1.0.0' };
  writeJson(path, lockfile);
  const { exitCode, stderr } = await runBootstrap(clone, START, {
    // A port that refuses connections.
    npm_config_registry: 'http://127.0.0.1:1/',
    npm_config_fetch_retries: '0',
  }).ended;
  expect(stderr).toMatch(/npm cannot reach its registry \(ECONNREFUSED\)/);
  expect(exitCode).toBe(1);
});

test.each([
  ['ENOSPC', 228, 'is full'],
  ['EROFS', 226, 'cannot write to'],
])('explains %s, for which npm exits with %d', async (code, npmExitCode, message) => {
  rmSync(join(clone, 'node_modules'), { recursive: true, force: true });
  const npm = join(clone, 'npm-cli.js');
  writeFileSync(npm, `console.error('npm error code ${code}'); process.exit(${npmExitCode});`);
  const { exitCode, stderr } = await runBootstrap(clone, START, {
    npm_execpath: npm,
    npm_node_execpath: process.execPath,
  }).ended;
  const [explanation] = stderr.trimEnd().split('\n').slice(-1);
  expect(explanation).toContain(clone);
  expect(explanation).toContain(message);
  expect(exitCode).toBe(1);
});

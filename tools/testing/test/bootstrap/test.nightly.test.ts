import { execFile } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeJson } from './support/clone.ts';

const repository = fileURLToPath(new URL('../../../..', import.meta.url));
const { nx } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8')) as { nx: object };

/** A workspace with the packages and the Nx and Jest configuration of this repository, and two projects. */
let workspace: string;

beforeAll(() => {
  workspace = realpathSync(mkdtempSync(join(tmpdir(), 'npm-test-')));
  symlinkSync(join(repository, 'node_modules'), join(workspace, 'node_modules'));
  for (const path of ['.swcrc', 'nx.json', 'jest.config.mjs', 'tools/testing', 'tools/bootstrap']) {
    cpSync(join(repository, path), join(workspace, path), {
      recursive: true,
      filter: (source) => !source.endsWith('/test'),
    });
  }
  for (const folder of ['apps/a/test', 'libs/b/test'])
    mkdirSync(join(workspace, folder), { recursive: true });
  writePackage("echo 'no style'");
  writeTest('apps/a', `test('passes', () => {}); test.skip('is skipped', () => {});`);
  writeTest('libs/b', `test('also passes', () => {});`);
});

afterAll(() => rmSync(workspace, { recursive: true }));

const writePackage = (lint: string) =>
  writeJson(join(workspace, 'package.json'), {
    name: 'gpu-observatory',
    type: 'module',
    workspaces: ['apps/*', 'libs/*'],
    scripts: { lint, 'format:check': 'true' },
    nx,
  });

const writeTest = (project: string, source: string) =>
  writeFileSync(join(workspace, project, 'test', 'example.test.ts'), source);

async function npmTest(...args: string[]) {
  const inherited = Object.entries(process.env).filter(([name]) => !/^(NX_|JEST_|TEST_COUNTS_)/.test(name));
  const { code, stdout, stderr } = await new Promise<{ code: number; stdout: string; stderr: string }>(
    (resolve) => {
      const child = execFile(
        process.execPath,
        [join(workspace, 'tools/bootstrap/test.mjs'), ...args],
        { cwd: workspace, env: Object.fromEntries(inherited) },
        (_error, stdout, stderr) => resolve({ code: child.exitCode ?? -1, stdout, stderr }),
      );
    },
  );
  return { exitCode: code, summaryLine: stdout.trimEnd().split('\n').at(-1), stdout, stderr };
}

test('prints the counts of all projects as the last line, the same from the cache', async () => {
  const first = await npmTest();
  expect(first).toMatchObject({ exitCode: 0, summaryLine: 'Tests: 2 passed, 0 failed, 1 skipped' });
  expect(first.stdout).toMatch(
    /Seconds per project\n[^]* 'apps\/a' [^]*Slowest test files\n[^]* 'apps\/a\/test\/example\.test\.ts' /,
  );
  const second = await npmTest();
  expect(second).toMatchObject({ exitCode: 0, summaryLine: first.summaryLine });
  expect(second.stdout).toMatch(/Cache: +(\d+)\/\1 hit/);
});

test('counts failed tests and files that cannot run, and never caches them', async () => {
  // A condition that is no input of the target.
  const condition = join(workspace, '.nx', 'fails');
  writeFileSync(condition, '');
  const holds = `(await import('node:fs')).existsSync(${JSON.stringify(condition)})`;
  writeTest('libs/b', `test('depends on the condition', async () => expect(${holds}).toBe(false));`);
  const file = join(workspace, 'libs', 'b', 'test', 'file.test.ts');
  writeFileSync(file, `if (${holds}) throw new Error('cannot run'); test('passes', () => {});`);
  expect(await npmTest()).toMatchObject({
    exitCode: 1,
    summaryLine: 'Tests: 1 passed, 2 failed, 1 skipped',
  });
  rmSync(condition);
  expect(await npmTest()).toMatchObject({
    exitCode: 0,
    summaryLine: 'Tests: 3 passed, 0 failed, 1 skipped',
  });
  rmSync(file);
});

test('counts a killed Jest as a failed test', async () => {
  writeTest(
    'libs/b',
    `test('ends Jest', async () => { process.kill(process.ppid, 'SIGKILL'); await new Promise(() => {}); });`,
  );
  const result = await npmTest();
  expect(result).toMatchObject({ exitCode: 1, summaryLine: 'Tests: 0 passed, 1 failed, 0 skipped' });
  expect(result.stderr).toContain('The tests did not finish (see above).');
  writeTest('libs/b', `test('also passes', () => {});`);
});

test('passes arguments to Jest, and fails without any test', async () => {
  expect(await npmTest('libs/b', '-t', 'also passes')).toMatchObject({
    exitCode: 0,
    summaryLine: 'Tests: 1 passed, 0 failed, 0 skipped',
  });
  expect(await npmTest('no-such-file')).toMatchObject({
    exitCode: 1,
    summaryLine: 'Tests: 0 passed, 1 failed, 0 skipped',
  });
});

test('counts a failed check, prints it and still runs the tests', async () => {
  writePackage("echo 'bad style' && false");
  const result = await npmTest();
  expect(result).toMatchObject({ exitCode: 1, summaryLine: 'Tests: 2 passed, 1 failed, 1 skipped' });
  expect(result.stdout).toContain('bad style');
});

test('durations.json lists existing test files', () => {
  const durations = JSON.parse(
    readFileSync(join(repository, 'tools/testing/jest/durations.json'), 'utf8'),
  ) as object;
  expect(Object.keys(durations).filter((file) => !existsSync(join(repository, file)))).toEqual([]);
});

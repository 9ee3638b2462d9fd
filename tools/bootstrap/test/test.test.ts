import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeJson } from './support/clone.ts';

const repository = fileURLToPath(new URL('../../..', import.meta.url));

/** A workspace with the packages and the Nx configuration of this repository, and two projects. */
let workspace: string;

beforeAll(() => {
  workspace = realpathSync(mkdtempSync(join(tmpdir(), 'npm-test-')));
  symlinkSync(join(repository, 'node_modules'), join(workspace, 'node_modules'));
  cpSync(join(repository, 'nx.json'), join(workspace, 'nx.json'));
  for (const folder of ['tools/bootstrap', 'tools/embedded-database']) {
    cpSync(join(repository, folder), join(workspace, folder), {
      recursive: true,
      filter: (source) => !source.endsWith('/test'),
    });
  }
  writeJson(join(workspace, 'package.json'), { name: 'workspace', type: 'module', workspaces: ['a', 'b'] });
  for (const project of ['a', 'b']) {
    mkdirSync(join(workspace, project, 'test'), { recursive: true });
    writeFileSync(join(workspace, project, 'jest.config.mjs'), 'export default { transform: {} };\n');
    writeJson(join(workspace, project, 'package.json'), {
      name: project,
      type: 'module',
      scripts: { test: 'node ../tools/bootstrap/jest.mjs' },
    });
  }
  writeTest('a', `test('passes', () => {}); test.skip('is skipped', () => {});`);
});

afterAll(() => rmSync(workspace, { recursive: true }));

const writeTest = (project: string, source: string) =>
  writeFileSync(join(workspace, project, 'test', 'example.test.js'), source);

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
  writeTest('b', `test('also passes', () => {});`);
  const first = await npmTest();
  expect(first).toMatchObject({ exitCode: 0, summaryLine: 'Tests: 2 passed, 0 failed, 1 skipped' });
  const second = await npmTest();
  expect(second).toMatchObject({ exitCode: 0, summaryLine: first.summaryLine });
  expect(second.stdout).toMatch(/Cache: +2\/2 hit/);
});

test('counts failed tests and files that cannot run, and never caches them', async () => {
  // A condition that is no input of the target.
  const condition = join(workspace, '.nx', 'fails');
  writeFileSync(condition, '');
  const holds = `(await import('node:fs')).existsSync(${JSON.stringify(condition)})`;
  writeTest('b', `test('depends on the condition', async () => expect(${holds}).toBe(false));`);
  writeFileSync(
    join(workspace, 'b', 'test', 'file.test.js'),
    `if (${holds}) throw new Error('cannot run'); test('passes', () => {});`,
  );
  expect(await npmTest()).toMatchObject({
    exitCode: 1,
    summaryLine: 'Tests: 1 passed, 2 failed, 1 skipped',
  });
  rmSync(condition);
  expect(await npmTest()).toMatchObject({
    exitCode: 0,
    summaryLine: 'Tests: 3 passed, 0 failed, 1 skipped',
  });
  rmSync(join(workspace, 'b', 'test', 'file.test.js'));
});

test('counts a project whose Jest is killed as failed', async () => {
  writeTest(
    'b',
    `test('ends Jest', async () => { process.kill(process.ppid, 'SIGKILL'); await new Promise(() => {}); });`,
  );
  const result = await npmTest();
  expect(result).toMatchObject({ exitCode: 1, summaryLine: 'Tests: 1 passed, 1 failed, 1 skipped' });
  expect(result.stderr).toContain('b: the tests did not finish (see above).');
});

test('passes arguments to Jest, and fails without any test', async () => {
  writeTest('b', `test('also passes', () => {});`);
  writeFileSync(
    join(workspace, 'jest.config.mjs'),
    `export default { projects: ['<rootDir>/b'], reporters: ['<rootDir>/tools/bootstrap/summary-reporter.mjs'] };`,
  );
  expect(await npmTest('-t', 'also passes')).toMatchObject({
    exitCode: 0,
    summaryLine: 'Tests: 1 passed, 0 failed, 0 skipped',
  });
  expect(await npmTest('no-such-file')).toMatchObject({
    exitCode: 1,
    summaryLine: 'Tests: 0 passed, 1 failed, 0 skipped',
  });
});

test('counts a failed check, prints it and still runs the tests', async () => {
  writeJson(join(workspace, 'a', 'package.json'), {
    name: 'a',
    type: 'module',
    scripts: { test: 'node ../tools/bootstrap/jest.mjs', lint: `echo 'bad style' && false` },
  });
  const result = await npmTest();
  expect(result).toMatchObject({ exitCode: 1, summaryLine: 'Tests: 2 passed, 1 failed, 1 skipped' });
  expect(result.stderr).toContain('bad style');
});

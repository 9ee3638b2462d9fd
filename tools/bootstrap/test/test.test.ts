import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runBootstrap, makeClone } from './support/clone.ts';

let clone: string;

beforeAll(async () => {
  clone = makeClone();
  await runBootstrap(clone, ['token']).ended; // Installs packages; the program itself does not exist here.
  mkdirSync(join(clone, 'node_modules', 'jest', 'bin'), { recursive: true });
});

afterAll(() => rmSync(clone, { recursive: true }));

/** Replaces Jest by a script that reports these counts through the summary reporter. */
function writeFakeJest(counts: Record<string, number> | undefined, exitCode: number): void {
  const report = counts
    ? `const { default: Reporter } = await import(${JSON.stringify(join(clone, 'tools/bootstrap/summary-reporter.mjs'))});
       new Reporter().onRunComplete(new Set(), ${JSON.stringify(counts)});`
    : '';
  writeFileSync(
    join(clone, 'node_modules', 'jest', 'bin', 'jest.js'),
    `(async () => { ${report} console.log('arguments: ' + process.argv.slice(2)); process.exitCode = ${exitCode}; })();`,
  );
}

const counts = (numbers: Partial<Record<string, number>> = {}) => ({
  numPassedTests: 5,
  numFailedTests: 0,
  numRuntimeErrorTestSuites: 0,
  numPendingTests: 0,
  numTodoTests: 0,
  ...numbers,
});

async function npmTest(...args: string[]) {
  const { exitCode, stdout, stderr } = await runBootstrap(clone, ['test', ...args]).ended;
  return { exitCode, summaryLine: stdout.trimEnd().split('\n').at(-1), stdout, stderr };
}

test('prints the counts of a successful run as the last line', async () => {
  writeFakeJest(counts(), 0);
  expect(await npmTest()).toMatchObject({
    exitCode: 0,
    summaryLine: 'Tests: 5 passed, 0 failed, 0 skipped',
  });
});

test('passes arguments to Jest', async () => {
  writeFakeJest(counts(), 0);
  expect((await npmTest('apps/fleet-api', '-t', 'a b')).stdout).toContain(
    'arguments: apps/fleet-api,-t,a b\n',
  );
});

test('counts failed tests, files that could not run, and skipped tests', async () => {
  writeFakeJest(
    counts({ numFailedTests: 2, numRuntimeErrorTestSuites: 1, numPendingTests: 3, numTodoTests: 1 }),
    1,
  );
  expect(await npmTest()).toMatchObject({
    exitCode: 1,
    summaryLine: 'Tests: 5 passed, 3 failed, 4 skipped',
  });
});

test('counts a failed check, prints it and still runs the tests', async () => {
  writeFakeJest(counts(), 0);
  // Only the checks fail, not the build.
  writeFileSync(
    join(clone, 'nx', 'nx.js'),
    `#!/usr/bin/env node\nconsole.log('bad format'); process.exit(process.argv.includes('lint') ? 1 : 0);`,
  );
  const result = await npmTest();
  expect(result).toMatchObject({ exitCode: 1, summaryLine: 'Tests: 5 passed, 1 failed, 0 skipped' });
  expect(result.stderr).toContain('bad format');
});

test('fails without any tests and when Jest crashes', async () => {
  writeFakeJest(counts({ numPassedTests: 0 }), 0);
  expect(await npmTest('nothing')).toMatchObject({
    exitCode: 1,
    summaryLine: 'Tests: 0 passed, 1 failed, 0 skipped',
  });
  writeFakeJest(undefined, 134);
  expect(await npmTest('crash')).toMatchObject({
    exitCode: 134,
    summaryLine: 'Tests: 0 passed, 1 failed, 0 skipped',
  });
});

import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { enter, makeClone } from './support/clone.ts';

let clone: string;

beforeAll(async () => {
  clone = makeClone();
  await enter(clone, ['token']).ended; // Installs; there is no such program here.
  mkdirSync(join(clone, 'node_modules', 'jest', 'bin'), { recursive: true });
});

afterAll(() => rmSync(clone, { recursive: true }));

/** Puts a runner in Jest's place that reports these counts through our reporter, then ends. */
function writeRunner(counts: Record<string, number> | undefined, exitCode: number): void {
  const report = counts
    ? `const { default: Reporter } = await import(${JSON.stringify(join(clone, 'tools/bootstrap/closing-line-reporter.mjs'))});
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
  const { exitCode, stdout, stderr } = await enter(clone, ['test', ...args]).ended;
  return { exitCode, closingLine: stdout.trimEnd().split('\n').at(-1), stdout, stderr };
}

test('ends with the counts of a run that passed', async () => {
  writeRunner(counts(), 0);
  expect(await npmTest()).toMatchObject({
    exitCode: 0,
    closingLine: 'Tests: 5 passed, 0 failed, 0 skipped',
  });
});

test('hands arguments to Jest', async () => {
  writeRunner(counts(), 0);
  expect((await npmTest('apps/fleet-api', '-t', 'a b')).stdout).toContain(
    'arguments: apps/fleet-api,-t,a b\n',
  );
});

test('counts failures, files that could not run, and what was left out', async () => {
  writeRunner(
    counts({ numFailedTests: 2, numRuntimeErrorTestSuites: 1, numPendingTests: 3, numTodoTests: 1 }),
    1,
  );
  expect(await npmTest()).toMatchObject({
    exitCode: 1,
    closingLine: 'Tests: 5 passed, 3 failed, 4 skipped',
  });
});

test('counts a failed check, shows it, and still runs the tests', async () => {
  writeRunner(counts(), 0);
  // The build of the door must pass: only the checks are broken.
  writeFileSync(
    join(clone, 'nx', 'nx.js'),
    `#!/usr/bin/env node\nconsole.log('bad format'); process.exit(process.argv.includes('lint') ? 1 : 0);`,
  );
  const result = await npmTest();
  expect(result).toMatchObject({ exitCode: 1, closingLine: 'Tests: 5 passed, 1 failed, 0 skipped' });
  expect(result.stderr).toContain('bad format');
});

test('fails a run without tests, and one whose runner crashed', async () => {
  writeRunner(counts({ numPassedTests: 0 }), 0);
  expect(await npmTest('nothing')).toMatchObject({
    exitCode: 1,
    closingLine: 'Tests: 0 passed, 1 failed, 0 skipped',
  });
  writeRunner(undefined, 134);
  expect(await npmTest('crash')).toMatchObject({
    exitCode: 134,
    closingLine: 'Tests: 0 passed, 1 failed, 0 skipped',
  });
});

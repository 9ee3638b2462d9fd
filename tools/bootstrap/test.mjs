// `npm test`: checks types, lint and format of every project, then runs the tests of every project through Nx, which takes
// the results of unchanged projects from its cache. With arguments it runs only Jest, with these arguments:
// `npm test -- apps/fleet-api`. The last line of the output contains the test counts.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from './child-process.mjs';
import { summaryLine } from './summary-line.mjs';
import { nxEnvironment, runTargets } from './nx.mjs';
import { nodeRuntime } from './node-runtime.mjs';
import { root } from './root.mjs';
import { removeCounts, sumCounts } from './test-counts.mjs';

const args = process.argv.slice(2);
const { counts, exitCode } = args.length > 0 ? await runJest() : await runAll();

// A crash and a run without tests count as failures too.
let { failed } = counts;
if (exitCode !== 0 && failed === 0) failed = 1;
if (failed === 0 && counts.passed === 0) {
  console.error('No test ran.');
  failed = 1;
}
console.log(summaryLine({ ...counts, failed }));
process.exitCode = exitCode || (failed > 0 ? 1 : 0);

async function runAll() {
  console.error('Checking types, lint and format.');
  const checks = await runTargets(['typecheck', 'lint', 'format:check']);
  removeCounts();
  const exitCode = await runTests();
  const { counts, missing } = sumCounts();
  for (const project of missing) console.error(`${project}: the tests did not finish (see above).`);
  if (!checks.passed) counts.failed += 1;
  return { counts, exitCode };
}

/** Runs the target `test` of all projects, with one database server. */
async function runTests() {
  const { default: startTestServer } = await import('../embedded-database/test-server/start.mjs');
  const { default: stopTestServer } = await import('../embedded-database/test-server/stop.mjs');
  await startTestServer();
  try {
    return await run(
      join(root, 'node_modules', '.bin', 'nx'),
      ['run-many', '-t', 'test', '--output-style=stream'],
      { cwd: root, env: nxEnvironment(), stdio: 'inherit' },
    );
  } finally {
    await stopTestServer();
  }
}

async function runJest() {
  const folder = mkdtempSync(join(tmpdir(), 'test-counts-'));
  const countsFile = join(folder, 'counts.json');
  const { node, env } = nodeRuntime();
  try {
    const exitCode = await run(
      node,
      [
        '--experimental-vm-modules',
        '--disable-warning=ExperimentalWarning',
        join(root, 'node_modules', 'jest', 'bin', 'jest.js'),
        ...args,
      ],
      { cwd: root, env: { ...env, TEST_COUNTS_FILE: countsFile }, stdio: 'inherit' },
    );
    return { counts: readCounts(countsFile), exitCode };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function readCounts(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return { passed: 0, failed: 0, skipped: 0 }; // Jest crashed before it wrote the file.
  }
}

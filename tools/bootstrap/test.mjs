// `npm test`: checks types, lint and format of every project, then runs all tests. With arguments it runs only Jest, with
// these arguments: `npm test -- apps/fleet-api`. The last line of the output contains the test counts.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from './child-process.mjs';
import { summaryLine } from './summary-line.mjs';
import { runTargets } from './nx.mjs';
import { nodeRuntime } from './node-runtime.mjs';
import { root } from './root.mjs';

const args = process.argv.slice(2);
const checksPassed = args.length > 0 || (await checks());
const { counts, exitCode } = await jest();

// A failed check, a crash of Jest and a run without tests count as failures too.
const failed = counts.failed + (checksPassed ? 0 : 1) + (exitCode !== 0 && counts.failed === 0 ? 1 : 0);
const empty = failed === 0 && counts.passed === 0;
if (empty) console.error('No test ran.');
console.log(summaryLine({ ...counts, failed: failed + (empty ? 1 : 0) }));
process.exitCode = exitCode || (failed > 0 || empty ? 1 : 0);

async function checks() {
  console.error('Checking types, lint and format.');
  const { passed } = await runTargets(['typecheck', 'lint', 'format:check']);
  return passed;
}

async function jest() {
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

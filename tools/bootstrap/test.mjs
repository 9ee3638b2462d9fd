// `npm test`: checks types, style and format, and runs the tests of all projects, all concurrently. Nx takes the results
// of unchanged inputs from its cache. With arguments it runs only Jest, with these arguments: `npm test -- apps/fleet-api`.
// The last line of the output contains the test counts.
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { run } from './child-process.mjs';
import { nxEnvironment } from './build.mjs';
import { root } from './root.mjs';
import { summaryLine } from './summary-line.mjs';

const args = process.argv.slice(2);
if (args.includes('--help')) {
  console.log(
    'Usage: npm test [-- PATHS AND OPTIONS OF JEST]. Without arguments, it also checks types, style and format.',
  );
  process.exit();
}

/** An output of the target `tests` in package.json. */
const countsFile = join(root, '.nx', 'test-counts.json');
rmSync(countsFile, { force: true });
mkdirSync(dirname(countsFile), { recursive: true });

const options = { cwd: root, env: { ...nxEnvironment(), TEST_COUNTS_FILE: countsFile }, stdio: 'inherit' };
const exitCode =
  args.length > 0
    ? await run(process.execPath, [join(root, 'tools', 'bootstrap', 'jest.mjs'), ...args], options)
    : await run(
        join(root, 'node_modules', '.bin', 'nx'),
        [
          ...['run-many', '--projects=workspace', '--targets=tests,lint,format:check'],
          ...['--parallel=3', '--output-style=stream'],
        ],
        options,
      );

const counts = readCounts();
// A crash, a failed check and a run without tests count as failures too.
if (counts.failed === 0 && (exitCode !== 0 || counts.passed === 0)) counts.failed = 1;
console.log(summaryLine(counts));
process.exitCode = exitCode || (counts.failed > 0 ? 1 : 0);

function readCounts() {
  try {
    return JSON.parse(readFileSync(countsFile, 'utf8'));
  } catch {
    console.error('The tests did not finish (see above).');
    return { passed: 0, failed: 0, skipped: 0 };
  }
}

// `npm run coverage [-- Jest arguments]`: runs the tests and prints the percentage of covered lines and branches per project. Only
// code that runs in the process of a test counts. coverage/index.html has the lines.
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { run } from '../../bootstrap/child-process.mjs';
import { root } from '../../bootstrap/root.mjs';

const args = process.argv.slice(2);
if (args.includes('--help')) {
  console.log('Usage: npm run coverage [-- PATHS AND OPTIONS OF JEST]');
  process.exit();
}
process.exitCode = await run(
  process.execPath,
  [join(root, 'tools', 'bootstrap', 'jest.mjs'), '--coverage', ...args],
  { cwd: root, env: { ...process.env, COVERAGE: '1' }, stdio: 'inherit' },
);
const summary = JSON.parse(readFileSync(join(root, 'coverage', 'coverage-summary.json'), 'utf8'));
delete summary.total;
const projects = Map.groupBy(Object.entries(summary), ([file]) => relative(root, file).split('/src/')[0]);
console.table(
  [...projects].sort().map(([project, files]) => ({
    project,
    'lines %': percentage(files, 'lines'),
    'branches %': percentage(files, 'branches'),
  })),
);

function percentage(files, kind) {
  const sum = (key) => files.reduce((total, [, counts]) => total + counts[kind][key], 0);
  return Math.round((100 * sum('covered')) / Math.max(1, sum('total')));
}

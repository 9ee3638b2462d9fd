// The `test` script of every project: runs the project's tests with Jest, and writes their counts for `npm test`. With
// arguments it passes them to Jest and writes no counts.
import { mkdirSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { run } from './child-process.mjs';
import { nodeRuntime } from './node-runtime.mjs';
import { root } from './root.mjs';
import { countsFile } from './test-counts.mjs';

/** Nx runs three projects concurrently. More than two workers each have not been tried. */
const workers = Math.min(2, Math.max(1, Math.floor(availableParallelism() / 2)));

const args = process.argv.slice(2);
const file = countsFile(relative(root, process.cwd()));
rmSync(file, { force: true });
mkdirSync(dirname(file), { recursive: true });
const { node, env } = nodeRuntime();
// Nx requests colors also when its output is no terminal. Programs that tests start would then color their output too.
const { FORCE_COLOR, ...plainEnv } = env;
process.exitCode = await run(
  node,
  [
    '--experimental-vm-modules',
    '--disable-warning=ExperimentalWarning',
    join(root, 'node_modules', 'jest', 'bin', 'jest.js'),
    ...['--reporters=default', `--reporters=${join(root, 'tools/bootstrap/summary-reporter.mjs')}`],
    `--maxWorkers=${workers}`,
    // Jest keeps the modules of finished test files in memory. A worker above this limit is replaced before garbage
    // collection takes seconds.
    '--workerIdleMemoryLimit=1GB',
    ...args,
  ],
  {
    env: {
      ...plainEnv,
      ...(FORCE_COLOR !== undefined && process.stdout.isTTY && { FORCE_COLOR }),
      ...(args.length === 0 && { TEST_COUNTS_FILE: file }),
    },
    stdio: 'inherit',
  },
);

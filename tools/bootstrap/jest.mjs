// The `test` script of every project: runs Jest on the tests of the project in the current folder. In the root folder it runs
// the tests of all projects.
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { run } from './child-process.mjs';
import { nodeRuntime } from './node-runtime.mjs';
import { root } from './root.mjs';

const folder = process.cwd();
const { node, env } = nodeRuntime();
// Nx requests colors also when its output is no terminal. Programs that tests start would then color their output too.
const { FORCE_COLOR, ...plainEnv } = env;
process.exitCode = await run(
  node,
  [
    // For tests of components, whose modules Jest loads.
    '--experimental-vm-modules',
    '--disable-warning=ExperimentalWarning',
    ...['--import', pathToFileURL(join(root, 'tools', 'testing', 'jest', 'register.mjs')).href],
    join(root, 'node_modules', 'jest', 'bin', 'jest.js'),
    ...['--config', join(root, 'jest.config.mjs')],
    ...process.argv.slice(2),
    // Last, because it takes all following arguments.
    ...(relative(root, folder) === '' ? [] : ['--roots', folder]),
  ],
  {
    env: { ...plainEnv, ...(FORCE_COLOR !== undefined && process.stdout.isTTY && { FORCE_COLOR }) },
    stdio: 'inherit',
  },
);

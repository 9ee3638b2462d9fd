import { join } from 'node:path';
import { runQuietly } from './child-process.mjs';
import { nodeRuntime } from './node-runtime.mjs';
import { root } from './root.mjs';

/**
 * Runs targets of all projects, with Nx's cache. Prints the output only on failure.
 *
 * @param {string[]} targets
 * @returns {Promise<boolean>} whether all passed
 */
export async function runTargets(targets) {
  const { env } = nodeRuntime();
  const { exitCode, output } = await runQuietly(
    join(root, 'node_modules', '.bin', 'nx'),
    ['run-many', '-t', ...targets, '--output-style=static'],
    { cwd: root, env: { ...env, NX_DAEMON: 'false', NX_NO_CLOUD: 'true', NX_TUI: 'false' } },
  );
  if (exitCode > 128) process.exit(exitCode);
  if (exitCode !== 0) process.stderr.write(`${output.trimEnd()}\n`);
  return exitCode === 0;
}

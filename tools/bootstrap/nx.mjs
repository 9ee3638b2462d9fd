import { join } from 'node:path';
import { runQuietly } from './child.mjs';
import { nodeRuntime } from './node-runtime.mjs';
import { root } from './root.mjs';

/**
 * Runs targets of every project that has them, what is unchanged from the cache; shows output only when one fails.
 *
 * @param {string[]} targets
 * @returns {Promise<boolean>} whether all of them passed
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

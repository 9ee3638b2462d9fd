import { join } from 'node:path';
import { runQuietly } from './child-process.mjs';
import { nodeRuntime } from './node-runtime.mjs';
import { root } from './root.mjs';

/**
 * Runs targets of all projects, with Nx's cache. Prints the output only on failure.
 *
 * @param {string[]} targets
 * @returns {Promise<{ passed: boolean, cached: boolean }>} whether all passed, and whether all results came from the cache
 */
export async function runTargets(targets) {
  const { exitCode, output } = await runQuietly(
    join(root, 'node_modules', '.bin', 'nx'),
    ['run-many', '-t', ...targets, '--output-style=static'],
    { cwd: root, env: nxEnvironment() },
  );
  if (exitCode > 128) process.exit(exitCode);
  if (exitCode !== 0) process.stderr.write(`${output.trimEnd()}\n`);
  const [, hits, tasks] = /^\s*Cache:\s+(\d+)\/(\d+) hit/m.exec(output) ?? [];
  return { passed: exitCode === 0, cached: hits !== undefined && hits === tasks };
}

/** Returns the environment of Nx: without its daemon, and without caching failures. */
export function nxEnvironment() {
  const { env } = nodeRuntime();
  return { ...env, NX_DAEMON: 'false', NX_NO_CLOUD: 'true', NX_TUI: 'false', NX_CACHE_FAILURES: 'false' };
}

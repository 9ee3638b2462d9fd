import { join } from 'node:path';
import { runQuietly } from './child-process.mjs';
import { nodeRuntime } from './node-runtime.mjs';
import { root } from './root.mjs';

/** Builds all changed services and libraries. Prints the output only on failure. */
export async function build() {
  const started = performance.now();
  const { exitCode, output } = await runQuietly(
    join(root, 'node_modules', '.bin', 'nx'),
    ['run-many', '-t', 'build', '--output-style=static'],
    { cwd: root, env: nxEnvironment() },
  );
  if (exitCode > 128) process.exit(exitCode);
  if (exitCode !== 0) {
    process.stderr.write(`${output.trimEnd()}\n`);
    throw new Error('The build failed (see above).');
  }
  const [, hits, tasks] = /^\s*Cache:\s+(\d+)\/(\d+) hit/m.exec(output) ?? [];
  if (hits !== tasks) console.error(`Built in ${Math.round((performance.now() - started) / 1000)} s.`);
}

/** Returns the environment of Nx: without its daemon, and without caching failures. */
export function nxEnvironment() {
  const { env } = nodeRuntime();
  return { ...env, NX_DAEMON: 'false', NX_NO_CLOUD: 'true', NX_TUI: 'false', NX_CACHE_FAILURES: 'false' };
}

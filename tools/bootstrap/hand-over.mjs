import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { run } from './child.mjs';
import { nodeRuntime } from './node-runtime.mjs';
import { root } from './root.mjs';

/**
 * Runs a program of the project in the root folder and ends as it ends. A relative path that a person gave as an
 * argument is meant from `INIT_CWD`, as under npm.
 *
 * @param {string} program path from the root
 * @param {string[]} args
 */
export async function handOver(program, args) {
  const { node, env } = nodeRuntime();
  const lifeline = pathToFileURL(join(root, 'tools', 'bootstrap', 'lifeline.mjs')).href;
  process.exitCode = await run(node, ['--import', lifeline, join(root, program), ...args], {
    cwd: root,
    env: { ...env, INIT_CWD: env.INIT_CWD ?? process.cwd() },
    // The channel is the lifeline. A session of its own keeps a terminal's Ctrl-C, which goes to all processes of the
    // group, from the program and all it started: it hears of it from us, once, and stops them in its own order.
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    detached: true,
  });
}

import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { run } from './child-process.mjs';
import { nodeRuntime } from './node-runtime.mjs';
import { root } from './root.mjs';

/**
 * Runs a program of the project in the root folder and exits with its exit code. Programs resolve relative paths in
 * arguments from `INIT_CWD`, as under npm.
 *
 * @param {string} program path from the root
 * @param {string[]} args
 */
export async function runProgram(program, args) {
  const { node, env } = nodeRuntime();
  const exitWithParent = pathToFileURL(join(root, 'tools', 'bootstrap', 'exit-with-parent.mjs')).href;
  process.exitCode = await run(node, ['--import', exitWithParent, join(root, program), ...args], {
    cwd: root,
    env: { ...env, INIT_CWD: env.INIT_CWD ?? process.cwd() },
    // exit-with-parent.mjs needs the IPC channel. In a separate process group, the program and its children get a Ctrl-C
    // only once, forwarded by this process, so that the program can stop its children in order.
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    detached: true,
  });
}

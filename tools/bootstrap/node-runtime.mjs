import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { root } from './root.mjs';

const MAJOR = 24;
const binaries = join(root, 'node_modules', '.bin');

/**
 * Finds the Node that runs the project: the one in node_modules (an optional package for each platform), or the current one
 * on other platforms.
 *
 * @returns {{ node: string, env: NodeJS.ProcessEnv }} its path, and an environment with that Node first in PATH
 */
export function nodeRuntime() {
  const pinned = join(binaries, 'node');
  const node = existsSync(pinned) ? pinned : process.execPath;
  const { stdout, error } = spawnSync(node, ['--version'], { encoding: 'utf8' });
  const version = /^v(\d+)\./.exec(stdout ?? '');
  if (node === pinned && Number(version?.[1]) !== MAJOR) {
    throw new Error(
      `The Node in node_modules (${pinned}) is not version ${MAJOR} (${error?.code ?? (stdout || 'it does not run')}): delete node_modules, then run the command again.`,
    );
  }
  if (Number(version?.[1]) < MAJOR) {
    throw new Error(
      `The project needs Node ${MAJOR}, has no package of it for ${process.platform}-${process.arch}, and this is ${process.version}: install Node ${MAJOR} (https://nodejs.org), then run the command again.`,
    );
  }
  const path = [binaries, dirname(node), process.env.PATH].filter(Boolean).join(delimiter);
  return { node, env: { ...process.env, PATH: path } };
}

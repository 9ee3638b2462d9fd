import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { root } from './root.mjs';

const MAJOR = 24;
const binaries = join(root, 'node_modules', '.bin');

/**
 * The Node that runs the project: the one it brings itself (an optional package for each platform), else the running
 * one where there is none for the platform.
 *
 * @returns {{ node: string, env: NodeJS.ProcessEnv }} its path, and an environment in which it is found first
 */
export function nodeRuntime() {
  const pinned = join(binaries, 'node');
  const node = existsSync(pinned) ? pinned : process.execPath;
  const { stdout, error } = spawnSync(node, ['--version'], { encoding: 'utf8' });
  const version = /^v(\d+)\./.exec(stdout ?? '');
  if (node === pinned && Number(version?.[1]) !== MAJOR) {
    throw new Error(
      `The project's own Node (${pinned}) is not version ${MAJOR} (${error?.code ?? (stdout || 'it does not run')}): delete node_modules, then run the same command again.`,
    );
  }
  if (Number(version?.[1]) < MAJOR) {
    throw new Error(
      `The project brings no Node for ${process.platform}-${process.arch}, and this one is ${process.version}: install Node ${MAJOR} (https://nodejs.org), then try again.`,
    );
  }
  const path = [binaries, dirname(node), process.env.PATH].filter(Boolean).join(delimiter);
  return { node, env: { ...process.env, PATH: path } };
}

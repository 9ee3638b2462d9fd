import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { root } from './root.mjs';

/** Oldest Node that runs the services: TypeORM needs 24.11, and argon2 of node:crypto needs 24.7. */
export const MINIMUM_NODE = '24.11';

const binaries = join(root, 'node_modules', '.bin');
const NODE_PACKAGE = `node-${process.platform}-${process.arch}`;

/**
 * Checks before an install whether this machine can run the project: on Windows it cannot, and on a platform without a
 * package of Node, such as Apple Silicon, the current Node must be new enough.
 *
 * @param {Record<string, unknown>} packages the packages of the lockfile, by path
 */
export function checkPlatform(packages) {
  if (process.platform === 'win32') {
    throw new Error(
      'Windows is not supported directly: run the command in WSL (https://learn.microsoft.com/windows/wsl/install).',
    );
  }
  if (!(`node_modules/${NODE_PACKAGE}` in packages)) requireMinimum(process.version);
}

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
  const version = stdout?.trim();
  if (node !== pinned) requireMinimum(version);
  else if (!isNewEnough(version)) {
    throw new Error(
      `The Node in node_modules (${pinned}) is not version ${MINIMUM_NODE} or later (${error?.code ?? (version || 'it does not run')}): delete node_modules, then run the command again.`,
    );
  }
  const path = [binaries, dirname(node), process.env.PATH].filter(Boolean).join(delimiter);
  // Node keeps compiled modules there, which makes each later start of a service or command faster.
  const compileCache = join(root, 'node_modules', '.cache', 'node-compile-cache');
  return { node, env: { NODE_COMPILE_CACHE: compileCache, ...process.env, PATH: path } };
}

function requireMinimum(version) {
  if (isNewEnough(version)) return;
  throw new Error(
    `npm has no package of Node for ${process.platform}-${process.arch}, and this is Node ${version}: install Node ${MINIMUM_NODE} or later (https://nodejs.org), then run the command again.`,
  );
}

function isNewEnough(version) {
  const [, major, minor] = /^v(\d+)\.(\d+)\./.exec(version ?? '')?.map(Number) ?? [];
  const [minimumMajor, minimumMinor] = MINIMUM_NODE.split('.').map(Number);
  return major > minimumMajor || (major === minimumMajor && minor >= minimumMinor);
}

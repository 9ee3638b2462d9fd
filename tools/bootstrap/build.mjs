import { existsSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runQuietly } from './child-process.mjs';
import { nodeRuntime } from './node-runtime.mjs';
import { root } from './root.mjs';

/** Its modification time is the start of the last build. */
const stamp = join(root, '.nx', 'built');
const INPUTS_OF_ALL = ['package-lock.json', '.swcrc', 'tsconfig.base.json'].map((file) => join(root, file));
const NO_INPUTS = ['node_modules', 'dist', 'test'];

/** Builds all changed services and libraries. Prints the output only on failure. */
export async function build() {
  if (isBuilt()) return;
  const started = performance.now();
  const startedAt = new Date();
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
  writeFileSync(stamp, '');
  utimesSync(stamp, startedAt, startedAt);
  const [, hits, tasks] = /^\s*Cache:\s+(\d+)\/(\d+) hit/m.exec(output) ?? [];
  if (hits !== tasks) console.error(`Built in ${Math.round((performance.now() - started) / 1000)} s.`);
}

/**
 * Returns whether no input has changed since the last build. Without its daemon, Nx writes unchanged outputs again, and a program
 * that starts from them meanwhile would miss a file.
 */
function isBuilt() {
  const builtMs = statSync(stamp, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const projects = ['apps', 'libs', 'clients'].flatMap((folder) =>
    readdirSync(join(root, folder)).map((name) => join(root, folder, name)),
  );
  return (
    projects.every((folder) => !hasBuild(folder) || existsSync(join(folder, 'dist'))) &&
    [...INPUTS_OF_ALL, ...projects.flatMap(inputsOf)].every((path) => statSync(path).mtimeMs < builtMs)
  );
}

function hasBuild(folder) {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).scripts?.build !== undefined;
}

/** Returns the files and folders in a folder. The time of a folder shows that a file was removed. */
function inputsOf(folder) {
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => !NO_INPUTS.includes(name))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      return entry.isDirectory() ? [path, ...inputsOf(path)] : [path];
    });
}

/** Returns the environment of Nx: without its daemon, and without caching failures. */
export function nxEnvironment() {
  const { env } = nodeRuntime();
  return { ...env, NX_DAEMON: 'false', NX_NO_CLOUD: 'true', NX_TUI: 'false', NX_CACHE_FAILURES: 'false' };
}

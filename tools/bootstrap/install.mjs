import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { run } from './child.mjs';
import { root } from './root.mjs';

/**
 * Makes node_modules what package-lock.json says, unless it is: every package that is due here lies in its place in
 * the version of the lockfile, and npm has written its own record there, which it does last. That notices a new
 * lockfile, an install that was cut short and one without development packages alike.
 */
export async function install() {
  if (isInstalled()) return;
  console.error('Installing packages (npm ci); the first time takes a minute or two.');
  const started = performance.now();
  const seconds = () => Math.round((performance.now() - started) / 1000);
  // npm draws its progress only on a terminal.
  const progress = process.stderr.isTTY
    ? undefined
    : setInterval(() => console.error(`  … ${seconds()} s`), 15_000);

  const npm = npmCommand();
  const exitCode = await run(
    npm.program,
    // Development packages hold the compiler and the database: NODE_ENV=production must not leave them out.
    [
      ...npm.args,
      'ci',
      '--ignore-scripts',
      '--include=dev',
      '--include=optional',
      '--no-audit',
      '--no-fund',
      '--loglevel=error',
    ],
    { cwd: root, stdio: ['ignore', 2, 2] },
  ).finally(() => clearInterval(progress));
  if (exitCode > 128) process.exit(exitCode);
  if (exitCode !== 0)
    throw new Error('npm ci failed (see above): mend that, then run the same command again.');
  console.error(`Installed in ${seconds()} s.`);
}

function isInstalled() {
  const lockfile = readJson(join(root, 'package-lock.json'));
  if (!lockfile) throw new Error('package-lock.json is missing or unreadable: restore it from git.');
  if (!existsSync(join(root, 'node_modules', '.package-lock.json'))) return false;
  return Object.entries(lockfile.packages).every(([path, entry]) => {
    if (!path.includes('node_modules/') || isForOthers(entry)) return true;
    const found = readJson(join(root, path, 'package.json'));
    return found && (entry.link || found.version === entry.version);
  });
}

// Optional packages are mostly binaries, one for each platform; only those that name exactly ours are due.
function isForOthers({ optional, devOptional, peer, os, cpu, libc }) {
  if (!(optional || devOptional || peer)) return false;
  return libc || ![os].flat().includes(process.platform) || ![cpu].flat().includes(process.arch);
}

function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

// Under npm, the npm and the Node that run us: the Node first on the path may be the project's own, which an install
// removes while it runs.
function npmCommand() {
  const { npm_execpath: npm = '', npm_node_execpath: node } = process.env;
  if (node && basename(npm) === 'npm-cli.js') return { program: node, args: [npm] };
  return { program: 'npm', args: [] };
}

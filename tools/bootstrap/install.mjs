import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { run } from './child-process.mjs';
import { root } from './root.mjs';

/**
 * Runs npm ci unless node_modules matches package-lock.json: every package for this platform has the version of the
 * lockfile, and npm's record of the install exists, which npm writes last. This detects a changed lockfile, an interrupted
 * install and an install without development packages.
 */
export async function install() {
  if (isInstalled()) return;
  console.error('Installing packages (npm ci). The first install takes one or two minutes.');
  const started = performance.now();
  const seconds = () => Math.round((performance.now() - started) / 1000);
  // npm shows its progress only on a terminal.
  const progress = process.stderr.isTTY
    ? undefined
    : setInterval(() => console.error(`  … ${seconds()} s`), 15_000);

  const npm = npmCommand();
  const exitCode = await run(
    npm.program,
    // Also with NODE_ENV=production, because development packages include the compiler and the database.
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
    throw new Error('npm ci failed (see above): fix the problem, then run the command again.');
  console.error(`Installed in ${seconds()} s.`);
}

function isInstalled() {
  const lockfile = readJson(join(root, 'package-lock.json'));
  if (!lockfile) throw new Error('package-lock.json is missing or unreadable: restore it from git.');
  if (!existsSync(join(root, 'node_modules', '.package-lock.json'))) return false;
  return Object.entries(lockfile.packages).every(([path, entry]) => {
    if (!path.includes('node_modules/') || isForOtherPlatform(entry)) return true;
    const found = readJson(join(root, path, 'package.json'));
    return found && (entry.link || found.version === entry.version);
  });
}

// Optional packages are mostly binaries for one platform. Only those of this platform are required.
function isForOtherPlatform({ optional, devOptional, peer, os, cpu, libc }) {
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

// Uses the npm and the Node that run this script, if npm started it. The first Node in PATH may be the one in node_modules,
// which the install removes.
function npmCommand() {
  const { npm_execpath: npm = '', npm_node_execpath: node } = process.env;
  if (node && basename(npm) === 'npm-cli.js') return { program: node, args: [npm] };
  return { program: 'npm', args: [] };
}

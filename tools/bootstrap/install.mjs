import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { runQuietly } from './child-process.mjs';
import { checkPlatform } from './node-runtime.mjs';
import { root } from './root.mjs';

/** Exists while development packages are added. A killed installation leaves it, and packages without all their files. */
const additionMarker = join(root, 'node_modules', '.addition');

/**
 * Installs packages unless node_modules matches package-lock.json: every package for this platform has the version of the
 * lockfile, and npm's record of the install exists, which npm writes last.
 *
 * @param {{ withDevelopment: boolean }} options whether the command needs development packages too: test runners, Chromium, helm
 */
export async function install({ withDevelopment }) {
  const lockfile = readJson('package-lock.json')?.packages;
  if (!lockfile) throw new Error('package-lock.json is missing or unreadable: restore it from git.');
  const isInterrupted = existsSync(additionMarker);
  if (isComplete(lockfile, withDevelopment) && !(withDevelopment && isInterrupted)) return;
  checkPlatform(lockfile);
  // `npm ci` deletes node_modules, which a stack that `npm start` runs still needs.
  const isAddition = isComplete(lockfile, false) && !isInterrupted;
  if (isAddition) writeFileSync(additionMarker, '');
  console.error(
    isAddition
      ? 'Installing development packages (npm install).'
      : 'Installing packages (npm ci). The first install takes one or two minutes.',
  );
  // After a change of the lockfile, a contributor keeps the development packages.
  const development = withDevelopment || hasDevelopment(lockfile);
  const started = performance.now();
  const seconds = () => Math.round((performance.now() - started) / 1000);
  const progress = setInterval(() => console.error(`  … ${seconds()} s`), 15_000);
  const { exitCode, output } = await runNpm([
    ...(isAddition ? ['install', '--no-save'] : ['ci']),
    '--ignore-scripts',
    // The option overrides NODE_ENV.
    development ? '--include=dev' : '--omit=dev',
    '--include=optional',
    '--prefer-offline',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ]).finally(() => clearInterval(progress));
  const code = /^npm (?:error|ERR!) code (\S+)/m.exec(output)?.[1];
  // A signal stopped npm. It also exits with codes above 128 for system errors, such as 228 for ENOSPC.
  if (exitCode > 128 && !code) process.exit(exitCode);
  // On an error, npm removes what it added.
  rmSync(additionMarker, { force: true });
  if (exitCode !== 0) {
    process.stderr.write(`${output.trimEnd()}\n`);
    throw new Error(
      networkError(code) ??
        fileSystemError(code) ??
        'The installation failed (see above): fix the problem, then run the command again.',
    );
  }
  console.error(`Installed in ${seconds()} s.`);
}

function networkError(code) {
  if (/^(ENOTFOUND|EAI_AGAIN|ECONN\w+|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET_TIMEOUT)$/.test(code))
    return `npm cannot reach its registry (${code}): check the network connection and the proxy settings of npm, then run the command again.`;
  return undefined;
}

/**
 * Returns a message for an error of the disk or its permissions.
 *
 * @param {string | undefined} code such as ENOSPC
 * @returns {string | undefined}
 */
export function fileSystemError(code) {
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return `The disk of ${root} is full: free some space, then run the command again.`;
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS')
    return `This user cannot write to ${root} (${code}): make the folder writable, then run the command again.`;
  return undefined;
}

/** Returns whether every package of the lockfile that this platform needs is installed in its version. */
function isComplete(lockfile, withDevelopment) {
  if (!existsSync(join(root, 'node_modules', '.package-lock.json'))) return false;
  return Object.entries(lockfile).every(([path, entry]) => {
    if (!path.includes('node_modules/') || isForOtherPlatform(entry)) return true;
    if (!withDevelopment && isDevelopment(lockfile, entry)) return true;
    const found = readJson(join(path, 'package.json'));
    return found && (entry.link || found.version === entry.version);
  });
}

function hasDevelopment(lockfile) {
  return Object.entries(lockfile).some(
    ([path, entry]) =>
      path.includes('node_modules/') && isDevelopment(lockfile, entry) && existsSync(join(root, path)),
  );
}

/** npm marks the target of a link, not the link. */
function isDevelopment(lockfile, { link, resolved, dev }) {
  return (link ? lockfile[resolved].dev : dev) === true;
}

// Optional packages are mostly binaries for one platform. Only those of this platform are required.
function isForOtherPlatform({ optional, devOptional, peer, os, cpu, libc }) {
  if (!(optional || devOptional || peer)) return false;
  return libc || ![os].flat().includes(process.platform) || ![cpu].flat().includes(process.arch);
}

function readJson(path) {
  try {
    return JSON.parse(readFileSync(join(root, path), 'utf8'));
  } catch {
    return undefined;
  }
}

// Uses the npm and the Node that run this script, if npm started it. The first Node in PATH may be the one in node_modules,
// which the install removes.
function runNpm(args) {
  const { npm_execpath: npm = '', npm_node_execpath: node } = process.env;
  const isNpm = node && basename(npm) === 'npm-cli.js';
  return runQuietly(isNpm ? node : 'npm', isNpm ? [npm, ...args] : args, { cwd: root });
}

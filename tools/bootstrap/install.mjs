import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { basename, join } from 'node:path';
import { runQuietly } from './child-process.mjs';
import { checkPlatform } from './node-runtime.mjs';
import { root } from './root.mjs';

/** Exists while development packages are added. A killed installation leaves it, and packages without all their files. */
const additionMarker = join(root, 'node_modules', '.addition');

/**
 * Installs packages unless node_modules matches package-lock.json: every package for this platform has the version of the
 * lockfile, and npm's record of the install exists, which npm writes last. This detects a changed lockfile and an
 * interrupted install.
 *
 * @param {boolean} withDevelopment whether the command needs development packages too: test runners, Chromium, helm
 */
export async function install(withDevelopment) {
  const lockfile = readJson(join(root, 'package-lock.json'));
  if (!lockfile) throw new Error('package-lock.json is missing or unreadable: restore it from git.');
  const isInterrupted = existsSync(additionMarker);
  if (isInstalled(lockfile, withDevelopment) && !(withDevelopment && isInterrupted)) return;
  checkPlatform(lockfile.packages);
  // `npm ci` deletes node_modules, which a stack that `npm start` runs still needs.
  const isAddition = isInstalled(lockfile, false) && !isInterrupted;
  if (isAddition) writeFileSync(additionMarker, '');
  console.error(
    isAddition
      ? 'Installing development packages (npm install).'
      : 'Installing packages (npm ci). The first install takes one or two minutes.',
  );
  const started = performance.now();
  const seconds = () => Math.round((performance.now() - started) / 1000);
  const progress = setInterval(() => console.error(`  … ${seconds()} s`), 15_000);

  const networkError = await findNetworkError();
  if (networkError)
    console.error(`npm cannot reach its registry (${networkError}): installing from the cache of npm.`);
  const { exitCode, output } = await runNpm([
    ...(isAddition ? ['install', '--no-save'] : ['ci']),
    '--ignore-scripts',
    // After a change of the lockfile, a contributor keeps the development packages. The option overrides NODE_ENV.
    withDevelopment || hasDevelopment(lockfile) ? '--include=dev' : '--omit=dev',
    '--include=optional',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
    // Without a network, npm otherwise retries each of a thousand packages.
    ...(networkError ? ['--offline'] : []),
  ]).finally(() => clearInterval(progress));
  const code = npmErrorCode(output);
  if (wasStopped(exitCode, code)) process.exit(exitCode);
  // On an error, npm removes what it added.
  rmSync(additionMarker, { force: true });
  if (exitCode !== 0) {
    process.stderr.write(`${output.trimEnd()}\n`);
    throw new Error(installError(code === 'ENOTCACHED' ? networkError : code, isAddition));
  }
  console.error(`Installed in ${seconds()} s.`);
}

const NETWORK_ERROR =
  /^(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET_TIMEOUT)$/;
const PING_TIMEOUT_MS = 15_000;

/** Returns the error code if npm cannot reach its registry. A registry without the ping endpoint is reachable. */
async function findNetworkError() {
  const { exitCode, output } = await runNpm(
    ['ping', '--fetch-retries=0', `--fetch-timeout=${PING_TIMEOUT_MS}`, '--loglevel=error'],
    // A name server that does not answer delays npm further.
    { timeout: PING_TIMEOUT_MS, killSignal: 'SIGKILL' },
  );
  if (exitCode === 128 + constants.signals.SIGKILL) return 'ETIMEDOUT';
  const code = npmErrorCode(output);
  if (wasStopped(exitCode, code)) process.exit(exitCode);
  return code && NETWORK_ERROR.test(code) ? code : undefined;
}

/** Whether a signal stopped npm. It also exits with codes above 128 for system errors, such as 228 for ENOSPC. */
function wasStopped(exitCode, code) {
  return exitCode > 128 && !code;
}

/** Returns the error code that npm printed, such as ENOSPC. */
function npmErrorCode(output) {
  return /^npm (?:error|ERR!) code (\S+)/m.exec(output)?.[1];
}

/** Explains an error code of npm. */
function installError(code, isAddition) {
  if (code && NETWORK_ERROR.test(code))
    return `npm cannot reach its registry (${code}): check the network connection and the proxy settings of npm, then run the command again.`;
  return (
    fileSystemError(code) ??
    `npm ${isAddition ? 'install' : 'ci'} failed (see above): fix the problem, then run the command again.`
  );
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

/** Returns whether any development package of the lockfile is installed. */
function hasDevelopment({ packages }) {
  return Object.entries(packages).some(
    ([path, entry]) =>
      path.includes('node_modules/') && isDevelopment(packages, entry) && existsSync(join(root, path)),
  );
}

function isInstalled({ packages }, withDevelopment) {
  if (!existsSync(join(root, 'node_modules', '.package-lock.json'))) return false;
  return Object.entries(packages).every(([path, entry]) => {
    if (!path.includes('node_modules/') || isForOtherPlatform(entry)) return true;
    if (!withDevelopment && isDevelopment(packages, entry)) return true;
    const found = readJson(join(root, path, 'package.json'));
    return found && (entry.link || found.version === entry.version);
  });
}

/** npm marks the target of a link, not the link. */
function isDevelopment(packages, { link, resolved, dev }) {
  return (link ? packages[resolved].dev : dev) === true;
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
function runNpm(args, options = {}) {
  const { npm_execpath: npm = '', npm_node_execpath: node } = process.env;
  const isNpm = node && basename(npm) === 'npm-cli.js';
  return runQuietly(isNpm ? node : 'npm', isNpm ? [npm, ...args] : args, { cwd: root, ...options });
}

import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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

  const npm = npmCommand();
  const { exitCode, output } = await runQuietly(
    npm.program,
    [
      ...npm.args,
      ...(isAddition ? ['install', '--no-save'] : ['ci']),
      '--ignore-scripts',
      // After a change of the lockfile, a contributor keeps the development packages. The option overrides NODE_ENV.
      withDevelopment || hasDevelopment(lockfile) ? '--include=dev' : '--omit=dev',
      '--include=optional',
      '--no-audit',
      '--no-fund',
      '--loglevel=error',
      // By default npm retries for three minutes without a network.
      '--fetch-retry-mintimeout=1000',
      '--fetch-retry-maxtimeout=4000',
    ],
    { cwd: root },
  ).finally(() => clearInterval(progress));
  const code = npmErrorCode(output);
  // npm also exits with codes above 128 for system errors: 228 for ENOSPC.
  if (exitCode > 128 && !code) process.exit(exitCode);
  // On an error, npm removes what it added.
  rmSync(additionMarker, { force: true });
  if (exitCode !== 0) {
    process.stderr.write(`${output.trimEnd()}\n`);
    throw new Error(installError(code, isAddition));
  }
  console.error(`Installed in ${seconds()} s.`);
}

/** Returns the error code that npm printed, such as ENOSPC. */
function npmErrorCode(output) {
  return /^npm (?:error|ERR!) code (\S+)/m.exec(output)?.[1];
}

/** Explains an error code of npm. */
function installError(code, isAddition) {
  if (
    /^(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET_TIMEOUT)$/.test(
      code,
    )
  )
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
function npmCommand() {
  const { npm_execpath: npm = '', npm_node_execpath: node } = process.env;
  if (node && basename(npm) === 'npm-cli.js') return { program: node, args: [npm] };
  return { program: 'npm', args: [] };
}

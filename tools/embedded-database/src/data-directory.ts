import { createHash } from 'node:crypto';
import {
  chownSync,
  closeSync,
  fchownSync,
  lstatSync,
  mkdirSync,
  openSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { EmbeddedDatabaseError, reasonOf } from './errors.ts';
import { canAccess, isRoot, unprivilegedUser, type ServerUser } from './server-user.ts';

/** Location of files of root that the server's account cannot access in the data directory. */
const SYSTEM_DIRECTORY = '/var/lib/gpu-observatory';
const LOG_SIZE_LIMIT_BYTES = 10_000_000;

/**
 * Files of a data directory:
 *
 *     <data directory>/cluster      PostgreSQL's files, or a link to /var/lib/gpu-observatory/<hash>
 *     <data directory>/server.log   log of the server
 *     <data directory>/started-by   process id of the program that started the server
 */
export interface DataDirectory {
  path: string;
  /** PostgreSQL's own data directory, with links resolved. */
  cluster: string;
  /** Folder for a copy of the binaries, if the packaged ones cannot run in place. */
  installations: string;
  logFile: string;
  startedByFile: string;
  /** Account of the server. Undefined: the current user. */
  serverUser?: ServerUser;
}

/**
 * Creates the data directory and determines the location of its cluster and the account of the server.
 *
 * For an ordinary user, all files are inside the data directory. Root needs another account for the server. If that account
 * cannot access a parent directory (a clone in root's home), the cluster is under /var/lib, with a link to it.
 *
 * @throws EmbeddedDatabaseError when the directory cannot be written or belongs to another user
 */
export function openDataDirectory(directory: string): DataDirectory {
  const path = createDirectory(directory);
  const at = (cluster: string, installations: string, serverUser?: ServerUser): DataDirectory => ({
    path,
    cluster,
    installations,
    logFile: join(path, 'server.log'),
    startedByFile: join(path, 'started-by'),
    ...(serverUser && { serverUser }),
  });

  const inside = join(path, 'cluster');
  const outside = systemClusterPath(path);
  const entry = lstatSync(inside, { throwIfNoEntry: false });
  const linked = entry?.isSymbolicLink() ?? false;
  if (linked) checkLinkTarget(path, inside, outside);

  if (!isRoot()) {
    const foreign = entry !== undefined && entry.uid !== process.getuid?.();
    if (foreign) {
      throw new EmbeddedDatabaseError(
        `The database in ${path} belongs to another user: start as that user, or choose another data directory.`,
      );
    }
    return at(inside, path);
  }

  const present = statSync(inside, { throwIfNoEntry: false });
  const serverUser =
    present && present.uid !== 0 ? { uid: present.uid, gid: present.gid } : unprivilegedUser();
  if (!linked && canAccess(serverUser, path)) return at(inside, SYSTEM_DIRECTORY, serverUser);
  if (entry && !linked) {
    throw new EmbeddedDatabaseError(
      `The server's account can no longer access ${inside}: allow it to pass the parent directories (chmod o+x), or start with --reset to delete the data.`,
    );
  }
  createSystemDirectory();
  return at(outside, SYSTEM_DIRECTORY, serverUser);
}

/** Links the data directory to a cluster outside of it, so that a reset finds the cluster. */
export function linkCluster({ path, cluster }: DataDirectory): void {
  const inside = join(path, 'cluster');
  if (cluster !== inside && !lstatSync(inside, { throwIfNoEntry: false })) symlinkSync(cluster, inside);
}

/** Whether a cluster outside of the data directory has no link to it, because the data directory was deleted. */
export function isOrphaned({ path, cluster }: DataDirectory): boolean {
  const inside = join(path, 'cluster');
  return cluster !== inside && !lstatSync(inside, { throwIfNoEntry: false });
}

/** Removes the server's files inside and outside of the data directory, which stays. */
export function removeServerFiles({ path, cluster, logFile, startedByFile }: DataDirectory): void {
  for (const entry of [cluster, join(path, 'cluster'), logFile, `${logFile}.1`, startedByFile]) {
    rmSync(entry, { recursive: true, force: true });
  }
}

/** Opens the log for appending, readable by its owner only. A log over the size limit is renamed first. */
export function openLog({ logFile, serverUser }: Pick<DataDirectory, 'logFile' | 'serverUser'>): number {
  const size = statSync(logFile, { throwIfNoEntry: false })?.size ?? 0;
  if (size > LOG_SIZE_LIMIT_BYTES) renameSync(logFile, `${logFile}.1`);
  const log = openSync(logFile, 'a', 0o600);
  // If root starts a server on another user's directory, that user must still be able to write here.
  if (serverUser) fchownSync(log, serverUser.uid, serverUser.gid);
  return log;
}

/** Records that this process started the server (see stale-server.ts). */
export function markStarted({ startedByFile, serverUser }: DataDirectory): void {
  rmSync(startedByFile, { force: true });
  writeFileSync(startedByFile, String(process.pid), { mode: 0o600 });
  if (serverUser) chownSync(startedByFile, serverUser.uid, serverUser.gid);
}

function createDirectory(directory: string): string {
  try {
    // Root's server runs under another account, which must be able to enter but not to list the directory.
    mkdirSync(directory, { recursive: true, mode: isRoot() ? 0o711 : 0o700 });
    const path = realpathSync(directory);
    closeSync(openLog({ logFile: join(path, 'server.log') }));
    return path;
  } catch (error) {
    throw new EmbeddedDatabaseError(
      `The data directory ${directory} cannot be written (${reasonOf(error)}): make it writable, or choose another one.`,
    );
  }
}

function systemClusterPath(path: string): string {
  return join(SYSTEM_DIRECTORY, createHash('sha256').update(path).digest('hex').slice(0, 16));
}

// A copied or moved data directory has a link to the data of the original, which must not be used or deleted through it.
function checkLinkTarget(path: string, link: string, expected: string): void {
  const target = readlinkSync(link);
  if (target === expected) return;
  throw new EmbeddedDatabaseError(
    `${link} points to ${target}, the database of another data directory: move ${path} back, or delete that link to start with an empty database.`,
  );
}

function createSystemDirectory(): void {
  try {
    mkdirSync(SYSTEM_DIRECTORY, { recursive: true, mode: 0o755 });
  } catch (error) {
    throw new EmbeddedDatabaseError(
      `${SYSTEM_DIRECTORY} cannot be created (${reasonOf(error)}): choose a data directory that every user can enter.`,
    );
  }
}

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
import { canEnter, isRoot, unprivilegedUser, type ServerUser } from './server-user.ts';

/** Where root keeps what the server's account cannot reach in the data directory itself. */
const SYSTEM_DIRECTORY = '/var/lib/gpu-observatory';
const LOG_SIZE_LIMIT_BYTES = 10_000_000;

/**
 * What lies where:
 *
 *     <data directory>/cluster      PostgreSQL's files, or a link to /var/lib/gpu-observatory/<hash>
 *     <data directory>/server.log   what the server says
 *     <data directory>/started-by   process id of the program that started the server
 */
export interface DataDirectory {
  path: string;
  /** PostgreSQL's own data directory, the links followed. */
  cluster: string;
  /** A copy of the binaries goes here when the packaged ones cannot be used where they lie. */
  installations: string;
  logFile: string;
  startedByFile: string;
  /** Undefined: the server runs as whoever runs this process. */
  serverUser?: ServerUser;
}

/**
 * Makes the data directory and decides where its cluster lies and who serves it.
 *
 * An ordinary user has everything inside. Root needs another account for the server; where a parent directory is
 * closed to that account (a clone in root's home), the cluster lies under /var/lib and a link marks the place.
 *
 * @throws EmbeddedDatabaseError when the directory cannot be written or belongs to somebody else
 */
export function openDataDirectory(directory: string): DataDirectory {
  const path = makeWritable(directory);
  const place = (cluster: string, installations: string, serverUser?: ServerUser): DataDirectory => ({
    path,
    cluster,
    installations,
    logFile: join(path, 'server.log'),
    startedByFile: join(path, 'started-by'),
    ...(serverUser && { serverUser }),
  });

  const inside = join(path, 'cluster');
  const elsewhere = systemPath(path);
  const entry = lstatSync(inside, { throwIfNoEntry: false });
  const linked = entry?.isSymbolicLink() ?? false;
  if (linked) refuseForeignLink(path, inside, elsewhere);

  if (!isRoot()) {
    const foreign = entry !== undefined && entry.uid !== process.getuid?.();
    if (foreign) {
      throw new EmbeddedDatabaseError(
        `The database in ${path} belongs to another user: start as that user, or choose another data directory.`,
      );
    }
    return place(inside, path);
  }

  const present = statSync(inside, { throwIfNoEntry: false });
  const serverUser =
    present && present.uid !== 0 ? { uid: present.uid, gid: present.gid } : unprivilegedUser();
  if (!linked && canEnter(serverUser, path)) return place(inside, SYSTEM_DIRECTORY, serverUser);
  if (entry && !linked) {
    throw new EmbeddedDatabaseError(
      `The server's account can no longer reach ${inside}: open its parent directories (chmod o+x), or start anew with --reset.`,
    );
  }
  makeSystemDirectory();
  return place(elsewhere, SYSTEM_DIRECTORY, serverUser);
}

/** Marks in the data directory that its cluster lies elsewhere, so that a reset finds it. */
export function linkCluster({ path, cluster }: DataDirectory): void {
  const inside = join(path, 'cluster');
  if (cluster !== inside && !lstatSync(inside, { throwIfNoEntry: false })) symlinkSync(cluster, inside);
}

/** Whether the cluster lies elsewhere without a link to it: its data directory was deleted by hand. */
export function isForsaken({ path, cluster }: DataDirectory): boolean {
  const inside = join(path, 'cluster');
  return cluster !== inside && !lstatSync(inside, { throwIfNoEntry: false });
}

/** Removes the server's files, those elsewhere included; the data directory itself stays. */
export function removeServerFiles({ path, cluster, logFile, startedByFile }: DataDirectory): void {
  for (const entry of [cluster, join(path, 'cluster'), logFile, `${logFile}.1`, startedByFile]) {
    rmSync(entry, { recursive: true, force: true });
  }
}

/** Opens the log for appending, readable by its owner alone; a long one is put aside once. */
export function openLog({ logFile, serverUser }: Pick<DataDirectory, 'logFile' | 'serverUser'>): number {
  const size = statSync(logFile, { throwIfNoEntry: false })?.size ?? 0;
  if (size > LOG_SIZE_LIMIT_BYTES) renameSync(logFile, `${logFile}.1`);
  const log = openSync(logFile, 'a', 0o600);
  // Root may serve another user's directory; that user must be able to write here again.
  if (serverUser) fchownSync(log, serverUser.uid, serverUser.gid);
  return log;
}

/** Notes that this process started the server (see former-server.ts). */
export function markStarted({ startedByFile, serverUser }: DataDirectory): void {
  rmSync(startedByFile, { force: true });
  writeFileSync(startedByFile, String(process.pid), { mode: 0o600 });
  if (serverUser) chownSync(startedByFile, serverUser.uid, serverUser.gid);
}

function makeWritable(directory: string): string {
  try {
    // Root's server runs under another account, which must get through, though it need not look around.
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

function systemPath(path: string): string {
  return join(SYSTEM_DIRECTORY, createHash('sha256').update(path).digest('hex').slice(0, 16));
}

// A copied or moved data directory brings a link to the original's data, which must not be served, or deleted, twice.
function refuseForeignLink(path: string, link: string, expected: string): void {
  const target = readlinkSync(link);
  if (target === expected) return;
  throw new EmbeddedDatabaseError(
    `${link} leads to ${target}, the database of another data directory: move ${path} back, or delete that link to begin with an empty database.`,
  );
}

function makeSystemDirectory(): void {
  try {
    mkdirSync(SYSTEM_DIRECTORY, { recursive: true, mode: 0o755 });
  } catch (error) {
    throw new EmbeddedDatabaseError(
      `${SYSTEM_DIRECTORY} cannot be made (${reasonOf(error)}): choose a data directory that every user can enter.`,
    );
  }
}

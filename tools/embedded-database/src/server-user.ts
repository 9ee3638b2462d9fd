import { spawnSync } from 'node:child_process';
import { EmbeddedDatabaseError } from './errors.ts';

/** Account of the server. */
export interface ServerUser {
  uid: number;
  gid: number;
}

const SERVER_ACCOUNT = 'gpu-observatory';
const KNOWN_ACCOUNTS = [SERVER_ACCOUNT, 'postgres', '_postgres'];

export function isRoot(): boolean {
  return process.getuid?.() === 0;
}

/**
 * Returns an unprivileged system account for root's server, because PostgreSQL does not run as root. Uses an existing
 * account or creates `gpu-observatory`.
 */
export function unprivilegedUser(): ServerUser {
  const account = KNOWN_ACCOUNTS.map(lookUpAccount).find((user) => user !== undefined) ?? create();
  if (account) return account;
  throw new EmbeddedDatabaseError(
    `PostgreSQL does not run as root, and creating an account for it failed: create a system user named "${SERVER_ACCOUNT}", or start as an ordinary user.`,
  );
}

/** Returns the account of servers; undefined for the current user. */
export function serverAccount(): ServerUser | undefined {
  return isRoot() ? unprivilegedUser() : undefined;
}

/** Whether `user` can enter `directory`, including all parent directories and ACLs. */
export function canAccess(user: ServerUser, directory: string): boolean {
  return spawnSync('/bin/sh', ['-c', 'cd -- "$1"', 'sh', directory], { ...user, cwd: '/' }).status === 0;
}

function lookUpAccount(name: string): ServerUser | undefined {
  const [uid, gid] = ['-u', '-g'].map((flag) => Number(spawnSync('id', [flag, name]).stdout || NaN));
  return uid && gid ? { uid, gid } : undefined;
}

function create(): ServerUser | undefined {
  // Most systems have useradd; BusyBox and old Debian have adduser.
  const attempts: [string, string[]][] = [
    ['useradd', ['--system', '--user-group', '--no-create-home', '--shell', '/bin/false', SERVER_ACCOUNT]],
    ['adduser', ['--system', '--group', '--no-create-home', SERVER_ACCOUNT]],
    ['adduser', ['-S', '-D', '-H', SERVER_ACCOUNT]],
  ];
  for (const [command, args] of attempts) {
    if (spawnSync(command, args).status === 0) return lookUpAccount(SERVER_ACCOUNT);
  }
  return undefined;
}

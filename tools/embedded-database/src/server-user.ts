import { spawnSync } from 'node:child_process';
import { EmbeddedDatabaseError } from './errors.ts';

/** The account the server runs as. */
export interface ServerUser {
  uid: number;
  gid: number;
}

const OWN_ACCOUNT = 'gpu-observatory';
const KNOWN_ACCOUNTS = [OWN_ACCOUNT, 'postgres', '_postgres'];

export function isRoot(): boolean {
  return process.getuid?.() === 0;
}

/**
 * PostgreSQL refuses to run as root, so root lends it an unprivileged system account: one that is there already,
 * else `gpu-observatory`, which this makes.
 */
export function unprivilegedUser(): ServerUser {
  const account = KNOWN_ACCOUNTS.map(lookUp).find((user) => user !== undefined) ?? create();
  if (account) return account;
  throw new EmbeddedDatabaseError(
    `PostgreSQL does not run as root and no account could be made for it: create a system user named "${OWN_ACCOUNT}", or start as an ordinary user.`,
  );
}

/** The account that servers run as: somebody's own, but for root. */
export function serverAccount(): ServerUser | undefined {
  return isRoot() ? unprivilegedUser() : undefined;
}

/** Whether `user` gets through every parent directory into `directory`, asked of the system itself (ACLs count). */
export function canEnter(user: ServerUser, directory: string): boolean {
  return spawnSync('/bin/sh', ['-c', 'cd -- "$1"', 'sh', directory], { ...user, cwd: '/' }).status === 0;
}

function lookUp(name: string): ServerUser | undefined {
  const [uid, gid] = ['-u', '-g'].map((flag) => Number(spawnSync('id', [flag, name]).stdout || NaN));
  return uid && gid ? { uid, gid } : undefined;
}

function create(): ServerUser | undefined {
  // useradd is the usual one; BusyBox and old Debian know adduser.
  const attempts: [string, string[]][] = [
    ['useradd', ['--system', '--user-group', '--no-create-home', '--shell', '/bin/false', OWN_ACCOUNT]],
    ['adduser', ['--system', '--group', '--no-create-home', OWN_ACCOUNT]],
    ['adduser', ['-S', '-D', '-H', OWN_ACCOUNT]],
  ];
  for (const [command, args] of attempts) {
    if (spawnSync(command, args).status === 0) return lookUp(OWN_ACCOUNT);
  }
  return undefined;
}

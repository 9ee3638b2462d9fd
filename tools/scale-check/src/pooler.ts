import { chown, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ServerUser } from '@gpu-observatory/embedded-database';
import { Server } from './server.ts';

/** A database of the pooler, with its port and name on the server. */
export interface PooledDatabase {
  name: string;
  port: number;
  database: string;
}

/**
 * Starts PgBouncer in transaction mode. Debian's may be older than 1.21, which does not support prepared statements in
 * this mode, so the services run with `DATABASE_NAMED_STATEMENTS=false`.
 */
export async function startPooler(options: {
  program: string;
  folder: string;
  user: ServerUser | undefined;
  port: number;
  databases: PooledDatabase[];
  /** Passwords by role. */
  users: Record<string, string>;
}): Promise<Server> {
  const { program, folder, user, port, databases, users } = options;
  const settings = join(folder, 'pgbouncer.ini');
  const userList = join(folder, 'pgbouncer-users.txt');
  const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
  const files = {
    [userList]: Object.entries(users)
      .map(([role, password]) => `${quoted(role)} ${quoted(password)}\n`)
      .join(''),
    [settings]: `
[databases]
${databases.map(({ name, port: serverPort, database }) => `${name} = host=127.0.0.1 port=${serverPort} dbname=${database}`).join('\n')}

[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
pool_mode = transaction
auth_type = scram-sha-256
auth_file = ${userList}
max_client_conn = 500
default_pool_size = 20
server_login_retry = 1
server_connect_timeout = 2
ignore_startup_parameters = extra_float_digits,options
`,
  };
  for (const [file, text] of Object.entries(files)) {
    await writeFile(file, text, { mode: 0o600 });
    if (user) await chown(file, user.uid, user.gid);
  }
  const server = new Server({ name: 'pgbouncer', program, args: [settings], port, folder, user });
  await server.waitUntilListening();
  return server;
}

import { chown, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { serverAccount } from '@gpu-observatory/embedded-database';
import { startServer } from './server.ts';

/**
 * Starts PgBouncer in transaction mode. Debian's may be older than 1.21, which does not support prepared statements in
 * this mode, so the services run with `DATABASE_NAMED_STATEMENTS=false`.
 *
 * @param databases ports of the servers by the name of the pooled database
 * @param urls of the roles on the server, with their passwords
 * @returns a function that stops it
 */
export async function startPooler(options: {
  folder: string;
  port: number;
  databases: Record<string, number>;
  urls: readonly string[];
}): Promise<() => Promise<void>> {
  const { folder, port, databases } = options;
  const settings = join(folder, 'pgbouncer.ini');
  const users = join(folder, 'pgbouncer-users.txt');
  const urls = options.urls.map((url) => new URL(url));
  const [database] = urls.map(({ pathname }) => pathname.slice(1));
  const files = {
    [users]: urls.map(({ username, password }) => `"${username}" "${password}"\n`).join(''),
    [settings]: `
[databases]
${Object.entries(databases)
  .map(([name, serverPort]) => `${name} = host=127.0.0.1 port=${serverPort} dbname=${database}`)
  .join('\n')}

[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
pool_mode = transaction
auth_type = scram-sha-256
auth_file = ${users}
max_client_conn = 500
default_pool_size = 20
server_login_retry = 1
server_connect_timeout = 2
ignore_startup_parameters = extra_float_digits,options
`,
  };
  const user = serverAccount();
  for (const [file, text] of Object.entries(files)) {
    await writeFile(file, text, { mode: 0o600 });
    if (user) await chown(file, user.uid, user.gid);
  }
  return startServer('pgbouncer', [settings], { port, logs: folder, user });
}

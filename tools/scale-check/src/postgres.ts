import { execFile } from 'node:child_process';
import { chown, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { query, type ServerUser } from '@gpu-observatory/embedded-database';
import type { Programs } from './programs.ts';
import { Server } from './server.ts';

const run = promisify(execFile);
const DATABASE = 'gpu_observatory';

export interface PostgresOptions {
  programs: Programs;
  /** Owned by `user`. */
  folder: string;
  user: ServerUser | undefined;
  superuserPassword: string;
}

/** A PostgreSQL server: the primary, or a standby that streams from it. */
export class PostgresServer {
  private server: Server | undefined;
  private readonly options: PostgresOptions;
  readonly name: string;
  readonly port: number;

  constructor(options: PostgresOptions, name: string, port: number) {
    this.options = options;
    this.name = name;
    this.port = port;
  }

  /** Returns the URL of the superuser, by default for the services' database. */
  url(database = DATABASE): string {
    return `postgres://postgres:${this.options.superuserPassword}@127.0.0.1:${this.port}/${database}`;
  }

  /** Creates the data directory of the primary. */
  async initialize(): Promise<void> {
    const { programs, folder, user, superuserPassword } = this.options;
    const passwordFile = join(folder, 'superuser-password');
    await writeFile(passwordFile, superuserPassword, { mode: 0o600 });
    if (user) await chown(passwordFile, user.uid, user.gid);
    await run(
      programs.initdb,
      [
        ...['--pgdata', this.data, '--username', 'postgres', '--pwfile', passwordFile],
        ...['--auth', 'scram-sha-256', '--encoding', 'UTF8', '--no-sync'],
      ],
      { cwd: folder, ...user },
    );
    await rm(passwordFile);
  }

  /** Creates the data directory of a standby from a running primary, with the settings for streaming. */
  async copyFrom(primary: PostgresServer): Promise<void> {
    const { programs, folder, user } = this.options;
    await run(
      programs.pgBasebackup,
      [
        ...['--dbname', primary.url('postgres'), '--pgdata', this.data, '--checkpoint', 'fast'],
        ...['--wal-method', 'stream', '--write-recovery-conf', '--create-slot', '--slot', this.slot],
      ],
      { cwd: folder, ...user },
    );
  }

  async createDatabase(): Promise<void> {
    await this.query(`CREATE DATABASE ${DATABASE}`, 'postgres');
  }

  /** Queries the server directly, without pooler and load balancer. */
  query<Row extends object>(text: string, database = DATABASE): Promise<Row[]> {
    return query<Row>(this.url(database), text);
  }

  async start(): Promise<void> {
    const { programs, folder, user } = this.options;
    const settings = {
      port: this.port,
      listen_addresses: '127.0.0.1',
      unix_socket_directories: '',
      max_connections: 200,
      wal_receiver_status_interval: '1s',
      // Durability does not matter here.
      fsync: 'off',
    };
    this.server = new Server({
      name: this.name,
      program: programs.postgres,
      args: [
        '-D',
        this.data,
        ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
      ],
      port: this.port,
      folder,
      user,
      exitSignal: 'SIGQUIT',
    });
    await this.server.waitUntilListening();
  }

  async kill(): Promise<void> {
    await this.server?.kill();
  }

  async stop(): Promise<void> {
    await this.server?.end('SIGINT');
  }

  private get data(): string {
    return join(this.options.folder, this.name);
  }

  private get slot(): string {
    return this.name.replaceAll('-', '_');
  }
}

/** Creates a folder that the servers' user owns. */
export async function createOwnedFolder(folder: string, user: ServerUser | undefined): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if (user) await chown(folder, user.uid, user.gid);
}

import { execFile } from 'node:child_process';
import { chown, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import type { Programs } from './programs.ts';
import { type Account, Server } from './server.ts';

const run = promisify(execFile);
const DATABASE = 'gpu_observatory';

export interface PostgresOptions {
  programs: Programs;
  /** Of the account's own. */
  folder: string;
  account: Account | undefined;
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

  /** `postgres://` URL of the superuser, on our database unless another is given. */
  url(database = DATABASE): string {
    return `postgres://postgres:${this.options.superuserPassword}@127.0.0.1:${this.port}/${database}`;
  }

  /** Makes the primary's files. */
  async initialise(): Promise<void> {
    const { programs, folder, account, superuserPassword } = this.options;
    const passwordFile = join(folder, 'superuser-password');
    await writeFile(passwordFile, superuserPassword, { mode: 0o600 });
    if (account) await chown(passwordFile, account.uid, account.gid);
    await run(
      programs.initdb,
      [
        ...['--pgdata', this.data, '--username', 'postgres', '--pwfile', passwordFile],
        ...['--auth', 'scram-sha-256', '--encoding', 'UTF8', '--no-sync'],
      ],
      { cwd: folder, ...account },
    );
    await rm(passwordFile);
  }

  /** Copies a running primary, and makes a standby of the copy: `-R` writes how it goes on streaming. */
  async copyFrom(primary: PostgresServer): Promise<void> {
    const { programs, folder, account } = this.options;
    await run(
      programs.pgBasebackup,
      [
        ...['--dbname', primary.url('postgres'), '--pgdata', this.data, '--checkpoint', 'fast'],
        ...['--wal-method', 'stream', '--write-recovery-conf', '--create-slot', '--slot', this.slot],
      ],
      { cwd: folder, ...account },
    );
  }

  async makeDatabase(): Promise<void> {
    await this.query(`CREATE DATABASE ${DATABASE}`, 'postgres');
  }

  /** Asks the server itself, beside pooler and load balancer. */
  async query<Row extends object>(text: string, database = DATABASE): Promise<Row[]> {
    const client = new pg.Client({ connectionString: this.url(database) });
    await client.connect();
    try {
      return (await client.query<Row>(text)).rows;
    } finally {
      await client.end();
    }
  }

  async start(): Promise<void> {
    const { programs, folder, account } = this.options;
    const settings = {
      port: this.port,
      listen_addresses: '127.0.0.1',
      unix_socket_directories: '',
      max_connections: 200,
      wal_receiver_status_interval: '1s',
      // What is lost in a power cut of this machine is the check's alone.
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
      account,
    });
    await this.server.untilListens();
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

/** Makes a folder that the servers' account owns. */
export async function ownFolder(folder: string, account: Account | undefined): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if (account) await chown(folder, account.uid, account.gid);
}

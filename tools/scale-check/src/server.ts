import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const LISTENS_WITHIN_MS = 30_000;
const ENDS_WITHIN_MS = 10_000;

/** Who runs the servers: PostgreSQL and PgBouncer refuse to be root's. */
export interface Account {
  uid: number;
  gid: number;
}

/** A program of the system's that listens on a port of this machine. */
export class Server {
  private readonly child: ChildProcess;
  private readonly logFile: string;
  readonly name: string;
  readonly port: number;

  constructor(options: {
    name: string;
    program: string;
    args: string[];
    port: number;
    folder: string;
    account: Account | undefined;
  }) {
    this.name = options.name;
    this.port = options.port;
    this.logFile = join(options.folder, `${options.name}.log`);
    const log = openSync(this.logFile, 'a', 0o600);
    this.child = spawn(options.program, options.args, {
      cwd: options.folder,
      stdio: ['ignore', log, log],
      ...options.account,
    });
    this.child.on('error', () => {}); // It never listens then, and its log says why.
  }

  private get hasEnded(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null || this.child.pid === undefined;
  }

  /** @throws {Error} with the end of its log when it ends before it listens, or never does */
  async untilListens(): Promise<void> {
    const deadline = Date.now() + LISTENS_WITHIN_MS;
    while (!(await listens(this.port))) {
      if (this.hasEnded || Date.now() > deadline)
        throw new Error(`${this.name} does not listen on port ${this.port}:\n${this.logTail()}`);
      await sleep(50);
    }
  }

  /** At once, as a power cut would. */
  async kill(): Promise<void> {
    await this.end('SIGKILL');
  }

  /** @param signal `SIGINT` is PostgreSQL's fast shutdown, `SIGTERM` is everybody else's */
  async end(signal: NodeJS.Signals): Promise<void> {
    if (this.hasEnded) return;
    const ended = once(this.child, 'exit');
    this.child.kill(signal);
    const force = setTimeout(() => this.child.kill('SIGKILL'), ENDS_WITHIN_MS);
    await ended;
    clearTimeout(force);
  }

  private logTail(): string {
    return readFileSync(this.logFile, 'utf8').trimEnd().split('\n').slice(-20).join('\n');
  }
}

async function listens(port: number): Promise<boolean> {
  const socket = connect({ host: '127.0.0.1', port });
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

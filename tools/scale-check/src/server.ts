import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ServerUser } from '@gpu-observatory/embedded-database';
import { stopAtExit } from './interruption.ts';

const START_TIMEOUT_MS = 30_000;
const STOP_TIMEOUT_MS = 10_000;

/** A system program that listens on a local port. */
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
    user: ServerUser | undefined;
    /** Ends the program at once, by default SIGKILL. */
    exitSignal?: NodeJS.Signals;
  }) {
    this.name = options.name;
    this.port = options.port;
    this.logFile = join(options.folder, `${options.name}.log`);
    const log = openSync(this.logFile, 'a', 0o600);
    const child = spawn(options.program, options.args, {
      cwd: options.folder,
      stdio: ['ignore', log, log],
      ...options.user,
    });
    this.child = stopAtExit(child, options.exitSignal);
    this.child.on('error', () => {}); // waitUntilListening reports it with the log.
  }

  private get hasEnded(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null || this.child.pid === undefined;
  }

  /** @throws {Error} with the end of the log when the program exits or does not listen within 30 s */
  async waitUntilListening(): Promise<void> {
    const deadline = Date.now() + START_TIMEOUT_MS;
    while (!(await listens(this.port))) {
      if (this.hasEnded || Date.now() > deadline)
        throw new Error(`${this.name} is not listening on port ${this.port}:\n${this.logTail()}`);
      await sleep(50);
    }
  }

  /** Kills the program without a shutdown, as a power failure does. */
  async kill(): Promise<void> {
    await this.end('SIGKILL');
  }

  /** @param signal `SIGINT` for PostgreSQL's fast shutdown, `SIGTERM` for other programs */
  async end(signal: NodeJS.Signals): Promise<void> {
    if (this.hasEnded) return;
    const ended = once(this.child, 'exit');
    this.child.kill(signal);
    const force = setTimeout(() => this.child.kill('SIGKILL'), STOP_TIMEOUT_MS);
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

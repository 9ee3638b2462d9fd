import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, fstatSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { openLog } from '@gpu-observatory/embedded-database';
import { root } from '../root.ts';

export interface ChildOptions {
  /** Name in messages and of the log file. */
  name: string;
  /** Absolute, or relative to the repository root. Run by the current Node.js. */
  script: string;
  args?: string[];
  /** Added to `childEnvironment()`. */
  env?: Record<string, string>;
  logs: string;
  stdin?: 'ignore' | 'pipe';
  /** Standard error always goes to the log. */
  stdout?: 'log' | 'pipe';
}

/** Preloaded module that stops a program when its parent exits. */
const exitWithParent = pathToFileURL(join(root, 'tools', 'bootstrap', 'exit-with-parent.mjs')).href;

/** Arguments of Node for every child. Stack traces show the lines of the TypeScript sources. */
export const NODE_ARGUMENTS = ['--enable-source-maps', '--import', exitWithParent];

const running = new Set<ChildProcess>();

/** A program of the project in a child process, which stops when this process exits. */
export class ChildProgram {
  readonly name: string;
  readonly logFile: string;
  private readonly options: ChildOptions;
  private readonly end = Promise.withResolvers<string>();
  private child: ChildProcess;
  private logStart = 0;
  private isStopping = false;
  /** Called when a restarted process exits. The program then waits for its next restart. */
  private onExit: ((ending: string, logTail: string) => void) | undefined;

  constructor(options: ChildOptions) {
    this.name = options.name;
    this.logFile = join(options.logs, `${options.name}.log`);
    this.options = options;
    this.child = this.start();
  }

  /** Resolves to `code 1`, `SIGKILL` and the like when the process exits, unless it was restarted. */
  get ended(): Promise<string> {
    return this.end.promise;
  }

  private start(): ChildProcess {
    const { script, args = [], env = {}, stdin = 'ignore', stdout = 'log' } = this.options;
    const log = openLog({ logFile: this.logFile });
    this.logStart = fstatSync(log).size;
    const stdio: StdioOptions = [stdin, stdout === 'log' ? log : stdout, log, 'ipc'];
    const child = spawn(process.execPath, [...NODE_ARGUMENTS, resolve(root, script), ...args], {
      cwd: root,
      env: { ...childEnvironment(), ...env },
      stdio,
      // In a separate process group, Ctrl-C in the terminal reaches only us, and we stop the children in order.
      detached: true,
    });
    closeSync(log);
    running.add(child);
    child.once('exit', () => running.delete(child));
    void ending(child).then((how) => {
      if (child !== this.child) return;
      if (this.onExit === undefined || this.isStopping) this.end.resolve(how);
      else this.onExit(how, this.logTail());
    });
    return child;
  }

  /**
   * Kills the process, and starts another one when it has exited.
   *
   * @param onExit called when the other process exits by itself
   */
  async restart(onExit: (ending: string, logTail: string) => void): Promise<void> {
    if (this.isStopping) return;
    this.onExit = () => undefined;
    const old = this.child;
    if (running.has(old)) {
      const exited = once(old, 'exit');
      old.kill('SIGKILL');
      await exited;
    }
    this.onExit = onExit;
    this.child = this.start();
  }

  get hasEnded(): boolean {
    return !running.has(this.child);
  }

  get stdin(): Writable {
    return this.child.stdin!;
  }

  get stdout(): Readable {
    return this.child.stdout!;
  }

  /** Returns the last log lines of this run. */
  logTail(lines = 20): string {
    const text = readFileSync(this.logFile).subarray(this.logStart).toString('utf8').trimEnd();
    return text.split('\n').slice(-lines).join('\n');
  }

  /** Stops the process with SIGTERM, after a timeout with SIGKILL, and waits until it has exited. */
  async stop(withinMs = 10_000): Promise<void> {
    this.isStopping = true;
    if (this.hasEnded) return;
    this.child.kill('SIGTERM');
    const force = setTimeout(() => this.child.kill('SIGKILL'), withinMs);
    await this.ended;
    clearTimeout(force);
  }
}

/** Kills all children immediately, for a second Ctrl-C. */
export function killAllChildren(): void {
  for (const child of running) child.kill('SIGKILL');
}

async function ending(child: ChildProcess): Promise<string> {
  try {
    const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
    return signal ?? `code ${code}`;
  } catch (failure) {
    running.delete(child);
    return (failure as Error).message;
  }
}

/** Returns the inherited variables. Others, such as HOST or LOG_LEVEL of the shell, must not affect the services. */
export function childEnvironment(): Record<string, string> {
  const names = ['PATH', 'HOME', 'LANG', 'TMPDIR', 'NODE_EXTRA_CA_CERTS'];
  return Object.fromEntries(
    names.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  );
}

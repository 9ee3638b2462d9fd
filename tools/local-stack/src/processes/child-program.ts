import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, fstatSync, openSync, readFileSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable, Stream, Writable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { root } from '../root.ts';

export interface ChildOptions {
  /** Name in messages and of the log file. */
  name: string;
  /** Path relative to the repository root, run by the current Node.js. */
  script: string;
  args?: string[];
  /** Added to `childEnvironment()`. */
  env?: Record<string, string>;
  logs: string;
  stdin?: 'ignore' | 'pipe' | 'inherit';
  /** Standard error always goes to the log. */
  stdout?: 'log' | 'pipe' | Stream;
}

const LOG_SIZE_LIMIT_BYTES = 10_000_000;
/** Preloaded module that stops a program when its parent exits. */
export const exitWithParent = pathToFileURL(join(root, 'tools', 'bootstrap', 'exit-with-parent.mjs')).href;

const running = new Set<ChildProcess>();

/** A program of the project in a child process, which stops when this process exits. */
export class ChildProgram {
  readonly name: string;
  readonly logFile: string;
  /** Resolves to `code 1`, `SIGKILL` and the like when the process exits. */
  readonly ended: Promise<string>;
  private readonly child: ChildProcess;
  private readonly logStart: number;

  constructor({ name, script, args = [], env = {}, logs, stdin = 'ignore', stdout = 'log' }: ChildOptions) {
    this.name = name;
    this.logFile = join(logs, `${name}.log`);
    const log = openLog(this.logFile);
    this.logStart = fstatSync(log).size;
    const stdio: StdioOptions = [stdin, stdout === 'log' ? log : stdout, log, 'ipc'];
    this.child = spawn(process.execPath, ['--import', exitWithParent, join(root, script), ...args], {
      cwd: root,
      env: { ...childEnvironment(), ...env },
      stdio,
      // In a separate process group, Ctrl-C in the terminal reaches only us, and we stop the children in order.
      detached: true,
    });
    closeSync(log);
    running.add(this.child);
    this.child.once('exit', () => running.delete(this.child));
    this.ended = ending(this.child);
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

/** Opens a log for appending, readable by its owner only. A log over the size limit is renamed first. */
function openLog(file: string): number {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (size > LOG_SIZE_LIMIT_BYTES) renameSync(file, `${file}.1`);
  return openSync(file, 'a', 0o600);
}

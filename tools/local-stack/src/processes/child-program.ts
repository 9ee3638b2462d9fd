import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, fstatSync, openSync, readFileSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable, Stream, Writable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { root } from '../root.ts';

export interface ChildOptions {
  /** How people know it; its log has this name too. */
  name: string;
  /** From the root folder, run by the Node that runs us. */
  script: string;
  args?: string[];
  /** Added to the little that every program needs. */
  env?: Record<string, string>;
  logs: string;
  /** Given to the child as its standard input; `pipe` makes one. */
  stdin?: 'ignore' | 'pipe' | 'inherit';
  /** Standard error always goes to the log. */
  stdout?: 'log' | 'pipe' | Stream;
}

const LOG_SIZE_LIMIT_BYTES = 10_000_000;
/** Asks a program to stop when the one that started it is gone, however it went. */
export const lifeline = pathToFileURL(join(root, 'tools', 'bootstrap', 'lifeline.mjs')).href;

const living = new Set<ChildProcess>();

/** A program of ours that runs in a process of its own and does not outlive this one. */
export class ChildProgram {
  readonly name: string;
  readonly logFile: string;
  /** How it ended: `code 1`, `SIGKILL`. */
  readonly ended: Promise<string>;
  private readonly child: ChildProcess;
  private readonly logStart: number;

  constructor({ name, script, args = [], env = {}, logs, stdin = 'ignore', stdout = 'log' }: ChildOptions) {
    this.name = name;
    this.logFile = join(logs, `${name}.log`);
    const log = openLog(this.logFile);
    this.logStart = fstatSync(log).size;
    const stdio: StdioOptions = [stdin, stdout === 'log' ? log : stdout, log, 'ipc'];
    this.child = spawn(process.execPath, ['--import', lifeline, join(root, script), ...args], {
      cwd: root,
      env: { ...ownEnvironment(), ...env },
      stdio,
      // A group of its own: a Ctrl-C in the terminal is ours to hear, and we stop them in their order.
      detached: true,
    });
    closeSync(log);
    living.add(this.child);
    this.child.once('exit', () => living.delete(this.child));
    this.ended = ending(this.child);
  }

  get hasEnded(): boolean {
    return !living.has(this.child);
  }

  get stdin(): Writable {
    return this.child.stdin!;
  }

  get stdout(): Readable {
    return this.child.stdout!;
  }

  /** The last lines it wrote to its log, of this run alone. */
  logTail(lines = 20): string {
    const text = readFileSync(this.logFile).subarray(this.logStart).toString('utf8').trimEnd();
    return text.split('\n').slice(-lines).join('\n');
  }

  /** Asks it to stop, and makes it after a while; settles when it is gone. */
  async stop(withinMs = 10_000): Promise<void> {
    if (this.hasEnded) return;
    this.child.kill('SIGTERM');
    const force = setTimeout(() => this.child.kill('SIGKILL'), withinMs);
    await this.ended;
    clearTimeout(force);
  }
}

/** At once and without cleaning up, for somebody who asked twice. */
export function killEveryChild(): void {
  for (const child of living) child.kill('SIGKILL');
}

async function ending(child: ChildProcess): Promise<string> {
  try {
    const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
    return signal ?? `code ${code}`;
  } catch (failure) {
    living.delete(child);
    return (failure as Error).message;
  }
}

/** Nothing else of the caller's environment: a HOST or a LOG_LEVEL there is not meant for us. */
export function ownEnvironment(): Record<string, string> {
  const names = ['PATH', 'HOME', 'LANG', 'TMPDIR', 'NODE_EXTRA_CA_CERTS'];
  return Object.fromEntries(
    names.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  );
}

/** For appending, readable by its owner alone; a long one is put aside once. */
function openLog(file: string): number {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (size > LOG_SIZE_LIMIT_BYTES) renameSync(file, `${file}.1`);
  return openSync(file, 'a', 0o600);
}

import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { removeEmbeddedDatabase } from '@gpu-observatory/embedded-database';
import { portsFrom, refuseTakenPorts } from '../../src/ports.ts';
import { root } from '../../src/root.ts';
import type { StackFile } from '../../src/stack-file.ts';

/** A program of the local stack, run as `npm start`, `npm run token` and `npm run import` run it. */
export class StackProgram {
  output = '';
  errors = '';
  /** The exit code, or the signal that ended it. */
  readonly ended: Promise<number | NodeJS.Signals>;
  private readonly child: ChildProcess;

  constructor(
    name: 'main' | 'token' | 'import',
    args: string[],
    { callerFolder = root, input = '' }: { callerFolder?: string; input?: string } = {},
  ) {
    this.child = spawn(process.execPath, [join(root, `tools/local-stack/src/${name}.ts`), ...args], {
      cwd: root,
      env: { PATH: process.env.PATH, HOME: process.env.HOME, INIT_CWD: callerFolder },
    });
    this.child.stdout?.setEncoding('utf8').on('data', (text: string) => (this.output += text));
    this.child.stderr?.setEncoding('utf8').on('data', (text: string) => (this.errors += text));
    this.child.stdin?.end(input);
    this.ended = new Promise((resolve) => {
      this.child.once('close', (code, signal) => resolve(code ?? signal ?? -1));
    });
  }

  get pid(): number {
    return this.child.pid!;
  }

  kill(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  /** Waits for the screen that a stack shows when it is ready. */
  async untilReady(): Promise<void> {
    let ended: number | NodeJS.Signals | undefined;
    void this.ended.then((how) => (ended = how));
    while (!this.output.includes('Ctrl-C stops everything')) {
      if (ended !== undefined) throw new Error(`The stack ended with ${ended}:\n${this.errors}`);
      await sleep(50);
    }
  }
}

/** A data directory and ports that nobody else has. */
export interface Place {
  portBase: number;
  dataDirectory: string;
  /** The flags for them. */
  flags: string[];
  stack(): StackFile;
  remove(): Promise<void>;
}

export async function ownPlace(): Promise<Place> {
  const portBase = await freePortBase();
  const dataDirectory = mkdtempSync(join(tmpdir(), 'gpu-observatory-stack-'));
  return {
    portBase,
    dataDirectory,
    flags: ['--data-directory', dataDirectory, '--port-base', String(portBase)],
    stack: () => JSON.parse(readFileSync(join(dataDirectory, 'stack.json'), 'utf8')) as StackFile,
    async remove() {
      if (existsSync(dataDirectory)) await removeEmbeddedDatabase(join(dataDirectory, 'database'));
      rmSync(dataDirectory, { recursive: true, force: true });
    },
  };
}

/** Below the ports that systems give out by themselves. */
async function freePortBase(): Promise<number> {
  for (;;) {
    const base = 20_000 + 20 * Math.floor(Math.random() * 500);
    const isFree = await refuseTakenPorts(portsFrom(base)).then(
      () => true,
      () => false,
    );
    if (isFree) return base;
  }
}

/** The processes that a process has started and that still run, as far as the system lets us see. */
export function childrenOf(pid: number): number[] {
  if (process.platform !== 'linux') return [];
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.map(Number).filter((each) => parentOf(each) === pid);
}

export function isRunning(pid: number): boolean {
  return parentOf(pid) !== undefined;
}

/** With its arguments. */
export function commandOf(pid: number): string {
  return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
}

export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await sleep(20);
}

/** Undefined for a process that does not run, or only waits to be reaped. */
function parentOf(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return state === 'Z' ? undefined : Number(parent);
  } catch {
    return undefined;
  }
}

import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describeProcess, removeEmbeddedDatabase } from '@gpu-observatory/embedded-database';
import { type StackFile, checkPortsAreFree, portsFrom, root } from '@gpu-observatory/local-stack';

/** A program of the local stack, run in the same way as by `npm start`, `npm run token` and `npm run import`. */
export class StackProgram {
  output = '';
  errors = '';
  /** Resolves to the exit code or the signal. */
  readonly ended: Promise<number | NodeJS.Signals>;
  private readonly child: ChildProcess;

  constructor(
    name: 'main' | 'token' | 'import' | 'dev',
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

  /** Waits for the message that the stack is ready. */
  async waitUntilReady(): Promise<void> {
    let ended: number | NodeJS.Signals | undefined;
    void this.ended.then((ending) => (ended = ending));
    while (!this.output.includes('Press Ctrl-C to stop')) {
      if (ended !== undefined) throw new Error(`The stack exited with ${ended}:\n${this.errors}`);
      await sleep(50);
    }
  }
}

/** A data directory and ports for one test. */
export interface Sandbox {
  portBase: number;
  dataDirectory: string;
  /** Flags of `npm start` for the data directory and ports. */
  flags: string[];
  stack(): StackFile;
  remove(): Promise<void>;
}

export async function createSandbox(): Promise<Sandbox> {
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

/** Chooses a port base below the ephemeral ports. */
async function freePortBase(): Promise<number> {
  for (;;) {
    const base = 20_000 + 20 * Math.floor(Math.random() * 500);
    const isFree = await checkPortsAreFree(portsFrom(base)).then(
      () => true,
      () => false,
    );
    if (isFree) return base;
  }
}

/** Returns the running children of a process; empty on systems without /proc. */
export function childrenOf(pid: number): number[] {
  if (process.platform !== 'linux') return [];
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.map(Number).filter((each) => describeProcess(each)?.parentPid === pid);
}

export const isRunning = (pid: number) => describeProcess(pid) !== undefined;

export const commandOf = (pid: number) => describeProcess(pid)?.commandLine ?? '';

export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await sleep(20);
}

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { MINUTE_MS } from '@gpu-observatory/domain-types';
import { freePort } from '@gpu-observatory/embedded-database';
import { writeLines } from '@gpu-observatory/fleet-simulator';
import { imageEnvironment } from '@gpu-observatory/testing';

const START_TIMEOUT_MS = 2 * MINUTE_MS;
/** Stops the child when this process is gone, even after a SIGKILL. */
const exitWithParent = new URL('../../bootstrap/exit-with-parent.mjs', import.meta.url).href;

/** A server in its own process. */
export type Server = Awaited<ReturnType<typeof startServer>>;

/**
 * Starts a server on a free port, which it gets as `PORT`, and waits until it is ready.
 *
 * @param readyUrl responds with a status below 500 once the server is ready; by default its own
 */
export async function startServer(program: string, environment: Record<string, string>, readyUrl?: string) {
  const url = `http://127.0.0.1:${await freePort()}`;
  const child = spawn(process.execPath, ['--import', exitWithParent, program], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: { NODE_ENV: 'production', PORT: new URL(url).port, ...environment },
  });
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGTERM');
    await once(child, 'exit');
  };
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (!(await responds(readyUrl ?? url))) {
    if (child.exitCode === null && Date.now() < deadline) await sleep(50);
    else {
      await stop();
      throw new Error(`${program} did not become ready within 2 minutes`);
    }
  }
  return { url, processId: child.pid as number, stop };
}

async function responds(url: string): Promise<boolean> {
  const response = await fetch(url).catch(() => null);
  await response?.body?.cancel();
  return response !== null && response.status < 500;
}

/** The built fleet-api of a checkout. */
export class FleetBuild {
  /** The one of this checkout. */
  static readonly own = new FleetBuild(fileURLToPath(new URL('../../..', import.meta.url)));

  private readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
    if (!existsSync(this.program('cli')))
      throw new Error(`${folder} has no built fleet-api: run "npm run build" there.`);
  }

  async start(environment: Record<string, string>): Promise<Server> {
    const managementPort = String(await freePort());
    const settings = { HOST: '127.0.0.1', MANAGEMENT_PORT: managementPort, SHUTDOWN_DRAIN_SECONDS: '0' };
    return startServer(
      this.program('main'),
      { ...imageEnvironment(), ...settings, ...environment },
      `http://127.0.0.1:${managementPort}/readyz`,
    );
  }

  /** Runs a command and returns what it prints. */
  async run(args: readonly string[], environment: Record<string, string>): Promise<string> {
    const child = this.spawnCommand(args, environment);
    const [output, [code]] = await Promise.all([
      text(child.stdout as Readable),
      once(child, 'exit') as Promise<[number]>,
    ]);
    if (code !== 0) throw new Error(`fleet-api ${args.join(' ')} exited with ${code}`);
    return output;
  }

  /**
   * Imports lines and waits until they are stored.
   *
   * @param args format and options
   * @param onStart gets the process id of the importer
   * @throws {Error} when the import failed, or rejected or skipped a record
   */
  async importLines(
    lines: Iterable<string>,
    args: readonly string[],
    importerUrl: string,
    onStart: (processId: number) => void = () => undefined,
  ): Promise<void> {
    const child = this.spawnCommand(['import', ...args, '-', '--quiet', '--rejects', '/dev/stderr'], {
      ...imageEnvironment(),
      NODE_ENV: 'production',
      LOG_LEVEL: 'warn',
      IMPORTER_DATABASE_URL: importerUrl,
    });
    onStart(child.pid as number);
    const output = text(child.stdout as Readable);
    const ended = once(child, 'exit') as Promise<[number]>;
    await writeLines(lines, child.stdin as Writable, new AbortController().signal);
    const [code] = await ended;
    const result = await output;
    const { rejected, duplicate } = JSON.parse(result || '{}') as { rejected?: number; duplicate?: number };
    if (code !== 0 || rejected !== 0 || duplicate !== 0)
      throw new Error(`import ${args[0]} exited with ${code}: ${result}`);
  }

  private spawnCommand(args: readonly string[], environment: Record<string, string>): ChildProcess {
    return spawn(process.execPath, [this.program('cli'), ...args], {
      stdio: ['pipe', 'pipe', 'inherit'],
      env: environment,
    });
  }

  private program(name: 'main' | 'cli'): string {
    return join(this.folder, 'apps', 'fleet-api', 'dist', 'src', `${name}.js`);
  }
}

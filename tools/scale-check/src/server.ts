import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { listenError, type ServerUser } from '@gpu-observatory/embedded-database';
import { StackError } from '@gpu-observatory/local-stack';

/** Debian's programs are in folders that PATH of an ordinary user may lack. */
const PATH = `${process.env['PATH'] ?? ''}:/usr/sbin:/usr/local/sbin`;
const START_TIMEOUT_MS = 30_000;

/** @throws {StackError} with the command that installs them */
export function requirePrograms(programs: readonly string[]): void {
  const missing = programs.filter((program) => spawnSync(program, ['-v'], { env: { PATH } }).error);
  if (missing.length > 0)
    throw new StackError(
      `Missing programs: ${missing.join(', ')}. On Debian or Ubuntu: sudo apt-get install --no-install-recommends ${missing.join(' ')}.`,
    );
}

/** Starts a system program, and waits until it listens on a local port. Returns a function that stops it. */
export async function startServer(
  program: string,
  args: string[],
  { port, logs, user }: { port: number; logs: string; user?: ServerUser | undefined },
): Promise<() => Promise<void>> {
  const logFile = join(logs, `${program}.log`);
  const log = openSync(logFile, 'a', 0o600);
  const child = spawn(program, args, { cwd: '/', env: { PATH }, stdio: ['ignore', log, log], ...user });
  const deadline = Date.now() + START_TIMEOUT_MS;
  while ((await listenError('127.0.0.1', port)) === undefined) {
    if (hasEnded(child) || Date.now() > deadline) {
      await stop(child);
      throw new Error(`${program} is not listening on port ${port}:\n${readFileSync(logFile, 'utf8')}`);
    }
    await sleep(50);
  }
  return () => stop(child);
}

/** Kills a program, which has no state to save. */
async function stop(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess) => exitCode !== null || signalCode !== null;

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';
import { join } from 'node:path';
import { root } from '../root.ts';
import { childEnvironment, NODE_ARGUMENTS } from './child-program.ts';

/**
 * Runs a program of the project with the terminal and in the directory of the user.
 *
 * @returns its exit code; 128 + n after signal n, as in a shell
 */
export async function runAttached(
  script: string,
  { args, env }: { args: string[]; env: Record<string, string> },
): Promise<number> {
  const child = spawn(process.execPath, [...NODE_ARGUMENTS, join(root, script), ...args], {
    cwd: process.env.INIT_CWD ?? process.cwd(),
    env: { ...childEnvironment(), ...env },
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal));
  const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
  return code ?? 128 + constants.signals[signal ?? 'SIGKILL'];
}

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';
import { join } from 'node:path';
import { root } from '../root.ts';
import { lifeline, ownEnvironment } from './child-program.ts';

/**
 * Runs a program of ours in the person's own terminal and folder, to its end.
 *
 * @returns its exit code; as in a shell, 128 + n when signal n ended it
 */
export async function runAttached(
  script: string,
  { args, env }: { args: string[]; env: Record<string, string> },
): Promise<number> {
  const child = spawn(process.execPath, ['--import', lifeline, join(root, script), ...args], {
    cwd: process.env.INIT_CWD ?? process.cwd(),
    env: { ...ownEnvironment(), ...env },
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal));
  const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
  return code ?? 128 + constants.signals[signal ?? 'SIGKILL'];
}

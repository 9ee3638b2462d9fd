import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { StackError } from '../errors.ts';
import type { ChildProgram } from '../processes/child-program.ts';

/** Announces a request to the process of the stack. */
const SIGNAL = 'SIGUSR2';
const TAKEN_TIMEOUT_MS = 10_000;
const POLL_INTERVAL_MS = 10;

/**
 * Asks the running stack to replace the process of a service. The file contains the name of the service; the stack deletes
 * the file when the new process has started.
 *
 * @throws {StackError} when the stack does not respond
 */
export async function requestRestart(restartFile: string, stackPid: number, service: string): Promise<void> {
  writeFileSync(restartFile, service, { mode: 0o600 });
  process.kill(stackPid, SIGNAL);
  const deadline = Date.now() + TAKEN_TIMEOUT_MS;
  while (existsSync(restartFile)) {
    if (Date.now() > deadline) {
      throw new StackError(
        `The stack (process ${stackPid}) did not restart ${service} within ${TAKEN_TIMEOUT_MS / 1_000} s: see its terminal, or restart it with "npm start".`,
      );
    }
    await sleep(POLL_INTERVAL_MS);
  }
}

/**
 * Restarts services on request, until the returned function is called.
 *
 * @param print shows a message of the stack
 */
export function restartOnRequest(
  restartFile: string,
  services: readonly ChildProgram[],
  print: (line: string) => void,
): () => void {
  const restart = async () => {
    if (!existsSync(restartFile)) return;
    const name = readFileSync(restartFile, 'utf8');
    await services
      .find((service) => service.name === name)
      ?.restart((ending, logTail) =>
        print(`${name} exited with ${ending}. It starts again after the next change.\n${logTail}`),
      );
    rmSync(restartFile, { force: true });
  };
  const listener = () => void restart();
  process.on(SIGNAL, listener);
  return () => process.off(SIGNAL, listener);
}

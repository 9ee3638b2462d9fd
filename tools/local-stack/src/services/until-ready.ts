import { StackError } from '../failures.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ChildProgram } from '../processes/child-program.ts';

const READY_WITHIN_MS = 60_000;
const ASK_EVERY_MS = 100;

/**
 * Waits until a service says that it takes traffic.
 *
 * @throws {StackError} with the end of its log when it ends before, or takes too long
 */
export async function untilReady(
  service: ChildProgram,
  managementPort: number,
  signal: AbortSignal,
): Promise<void> {
  const deadline = Date.now() + READY_WITHIN_MS;
  for (let answer = 'no answer'; ; await sleep(ASK_EVERY_MS)) {
    signal.throwIfAborted();
    if (service.hasEnded) {
      throw new StackError(`${service.name} ended with ${await service.ended}:\n${service.logTail()}`);
    }
    if (Date.now() > deadline)
      throw new StackError(`${service.name} is not ready (${answer}):\n${service.logTail()}`);
    try {
      const response = await fetch(`http://127.0.0.1:${managementPort}/readyz`, {
        signal: AbortSignal.timeout(2_000),
      });
      if (response.ok) return;
      answer = await response.text();
    } catch {
      // It does not listen yet.
    }
  }
}

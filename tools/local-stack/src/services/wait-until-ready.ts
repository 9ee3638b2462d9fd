import { StackError } from '../errors.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ChildProgram } from '../processes/child-program.ts';

const READY_TIMEOUT_MS = 60_000;
const POLL_INTERVAL_MS = 100;

/**
 * Waits until a service is ready.
 *
 * @throws {StackError} with the end of its log when it exits or times out
 */
export async function waitUntilReady(
  service: ChildProgram,
  managementPort: number,
  signal: AbortSignal,
): Promise<void> {
  // Tests stop Date.
  const deadline = performance.now() + READY_TIMEOUT_MS;
  for (let status = 'no response'; ; await sleep(POLL_INTERVAL_MS)) {
    signal.throwIfAborted();
    if (service.hasEnded) {
      throw new StackError(`${service.name} exited with ${await service.ended}:\n${service.logTail()}`);
    }
    if (performance.now() > deadline)
      throw new StackError(`${service.name} is not ready (${status}):\n${service.logTail()}`);
    try {
      const response = await fetch(`http://127.0.0.1:${managementPort}/readyz`, {
        signal: AbortSignal.timeout(2_000),
      });
      if (response.ok) return;
      status = await response.text();
    } catch {
      // The service is not listening yet.
    }
  }
}

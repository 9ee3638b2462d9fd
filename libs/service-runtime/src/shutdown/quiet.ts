import type { Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** Time without a request after which clients have noticed the shutdown. */
const QUIET_MS = 500;
const MAX_WAIT_MS = 3_000;

/**
 * Returns a function that waits until no request has arrived for 0.5 s, at most 3 s. Closing the listener resets
 * connections that are not accepted yet, and requests on the way over connections that were idle.
 */
export function watchRequests(server: Server): () => Promise<void> {
  let lastRequestAt = -Infinity;
  server.on('request', () => (lastRequestAt = performance.now()));
  return async () => {
    const deadline = performance.now() + MAX_WAIT_MS;
    for (;;) {
      const now = performance.now();
      const waitMs = Math.min(lastRequestAt + QUIET_MS, deadline) - now;
      if (waitMs <= 0) return;
      await sleep(waitMs);
    }
  };
}

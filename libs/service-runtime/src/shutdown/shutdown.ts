import type { Readiness } from '../health/readiness.ts';
import type { Logger } from '../logging/logger.ts';

/** Gone within 15 s, whatever still hangs: a client that reads nothing, say. Kubernetes would kill later. */
const DEADLINE_MS = 14_000;

export interface ShutdownOptions {
  readiness: Readiness;
  logger: Logger;
  /** How long to go on serving, not ready, so that load balancers notice before connections close. */
  drainSeconds: number;
  /** What to close, in order; each waits for its work in flight. */
  close: (() => Promise<unknown>)[];
}

/**
 * On SIGTERM or SIGINT: readiness fails first, traffic goes elsewhere, requests in flight finish, connections close,
 * exit 0 within 15 s (decisions, section 1, Shutdown). Closing at once would lose the requests already on their way.
 */
export function shutDownGracefully(options: ShutdownOptions): void {
  let begun = false;
  const begin = (signal: NodeJS.Signals) => {
    if (begun) return;
    begun = true;
    setTimeout(() => {
      options.logger.error('closing took too long; what is still open is cut');
      process.exit(0);
    }, DEADLINE_MS).unref();
    void close(signal, options);
  };
  process.on('SIGTERM', begin);
  process.on('SIGINT', begin);
}

async function close(
  signal: NodeJS.Signals,
  { readiness, logger, drainSeconds, close }: ShutdownOptions,
): Promise<void> {
  logger.info({ signal, drainSeconds }, 'draining');
  readiness.drain();
  await new Promise((resolve) => setTimeout(resolve, drainSeconds * 1000));
  for (const step of close) {
    await step().catch((failure: unknown) => logger.error({ err: failure }, 'a step of closing failed'));
  }
  logger.info('closed');
  process.exit(0);
}

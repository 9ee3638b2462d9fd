import type { Readiness } from '../health/readiness.ts';
import type { Logger } from '../logging/logger.ts';

/** The process exits within 15 s even if a client does not read its response (docs/services.md#shutdown). */
const DEADLINE_MS = 14_000;

interface ShutdownOptions {
  readiness: Readiness;
  logger: Logger;
  /** Time to keep serving while not ready, so that load balancers notice before connections close. */
  drainSeconds: number;
  /** Steps to run in order; each waits for its work in flight. */
  close: (() => Promise<unknown>)[];
}

/**
 * On SIGTERM or SIGINT, fails readiness, keeps serving while traffic moves to other replicas, then closes and exits
 * with 0 within 15 s (docs/services.md#shutdown). Closing at once would lose requests that are already on their way.
 */
export function shutDownGracefully(options: ShutdownOptions): void {
  let isClosing = false;
  const beginShutdown = (signal: NodeJS.Signals) => {
    if (isClosing) return;
    isClosing = true;
    setTimeout(() => {
      options.logger.error(
        `shutdown did not finish within ${DEADLINE_MS / 1_000} s; open connections are closed`,
      );
      process.exit(0);
    }, DEADLINE_MS).unref();
    void close(signal, options);
  };
  process.on('SIGTERM', beginShutdown);
  process.on('SIGINT', beginShutdown);
}

async function close(
  signal: NodeJS.Signals,
  { readiness, logger, drainSeconds, close }: ShutdownOptions,
): Promise<void> {
  logger.info({ signal, drainSeconds }, 'draining');
  readiness.drain();
  await new Promise((resolve) => setTimeout(resolve, drainSeconds * 1000));
  for (const step of close) {
    await step().catch((error: unknown) => logger.error({ err: error }, 'a shutdown step failed'));
  }
  logger.info('closed');
  process.exit(0);
}

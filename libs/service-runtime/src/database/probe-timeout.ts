import { type ELDHistogram, monitorEventLoopDelay } from 'node:perf_hooks';

/** Shorter than the interval of the probe, so that the second failure comes within 3 s after the database froze. */
const TIMEOUT_MS = 900;
const RESOLUTION_MS = 20;
/** Iterations of the event loop that a probe needs with a new connection: connect, startup, SCRAM, `SELECT 1`. */
const ITERATIONS = 6;
const MAX_EXTRA_MS = 4_000;

/**
 * Adaptive timeout of a probe. It grows with the delay of this process's own event loop, so that a process
 * on an overloaded host does not report its own slowness as an outage, or abort each new connection halfway.
 */
export class ProbeTimeout {
  private readonly delay: Pick<ELDHistogram, 'max' | 'reset'>;

  constructor(delay?: Pick<ELDHistogram, 'max' | 'reset'>) {
    this.delay = delay ?? enabledMonitor();
  }

  /** Starts a measurement of the delay. */
  start(): void {
    this.delay.reset();
  }

  /** The timeout without a delay, in ms. */
  get baseMs(): number {
    return TIMEOUT_MS;
  }

  /** The additional time for the delay since the start, in ms. */
  get extraMs(): number {
    const lateMs = Math.max(0, this.delay.max / 1e6 - RESOLUTION_MS);
    return Math.min(MAX_EXTRA_MS, ITERATIONS * lateMs);
  }
}

function enabledMonitor(): ELDHistogram {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  return delay;
}

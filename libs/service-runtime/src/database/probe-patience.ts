import { type ELDHistogram, monitorEventLoopDelay } from 'node:perf_hooks';

/** Shorter than the interval of the probe, so that the second failure comes within 3 s after the database froze. */
const TIMEOUT_MS = 900;
const RESOLUTION_MS = 20;
/** Turns of the event loop that a probe needs with a new connection: connect, startup, SCRAM, `SELECT 1`. */
const TURNS = 6;
const MAX_EXTRA_MS = 4_000;

/**
 * Time that a probe may take. It grows with the delay of this process's own event loop, so that a starved host does not
 * mistake its slowness for an outage, or prolong one by giving up each new connection halfway.
 */
export class ProbePatience {
  private readonly delay: Pick<ELDHistogram, 'max' | 'reset'>;

  constructor(delay?: Pick<ELDHistogram, 'max' | 'reset'>) {
    this.delay = delay ?? enabledMonitor();
  }

  /** Starts a measurement of the delay. */
  start(): void {
    this.delay.reset();
  }

  /** The initial time, in ms. */
  get timeoutMs(): number {
    return TIMEOUT_MS;
  }

  /** The additional time for the delay since the start, in ms. */
  get extraMs(): number {
    const lateMs = Math.max(0, this.delay.max / 1e6 - RESOLUTION_MS);
    return Math.min(MAX_EXTRA_MS, TURNS * lateMs);
  }
}

function enabledMonitor(): ELDHistogram {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  return delay;
}

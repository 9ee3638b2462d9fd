/** Time to write the last batch after a signal. Then it is aborted, and the server rolls it back. Kubernetes kills after 15 s. */
const MAX_WRITE_MS = 10_000;
const EXIT_CODES = { SIGINT: 130, SIGTERM: 143 } as const;

/** Handles SIGINT and SIGTERM: the import stops reading, writes the records it has read, and reports its result. */
export class Interruption {
  /** The first signal; null before it arrives. */
  signal: keyof typeof EXIT_CODES | null = null;
  private interrupt: () => void = () => undefined;
  private timeout: NodeJS.Timeout | undefined;
  private readonly listeners = {
    SIGINT: () => this.onSignal('SIGINT'),
    SIGTERM: () => this.onSignal('SIGTERM'),
  };

  /** @param abort ends the running statement when it takes too long */
  constructor(private readonly abort: () => void) {
    // Only once: a second signal ends the process.
    process.once('SIGINT', this.listeners.SIGINT);
    process.once('SIGTERM', this.listeners.SIGTERM);
  }

  get exitCode(): number {
    return this.signal === null ? 0 : EXIT_CODES[this.signal];
  }

  /**
   * Returns the result of the promise that settles first, or `interrupted` if a signal arrives before. Each race creates a promise
   * for the signal: one that lives as long as the import would retain the results of all races.
   */
  async raceWithSignal<T>(...awaited: Promise<T>[]): Promise<T | 'interrupted'> {
    if (this.signal !== null) return 'interrupted';
    const signal = new Promise<'interrupted'>((resolve) => (this.interrupt = () => resolve('interrupted')));
    return Promise.race([...awaited, signal]);
  }

  /** Stops handling signals. */
  stop(): void {
    clearTimeout(this.timeout);
    process.off('SIGINT', this.listeners.SIGINT);
    process.off('SIGTERM', this.listeners.SIGTERM);
  }

  private onSignal(signal: keyof typeof EXIT_CODES): void {
    this.signal ??= signal;
    this.timeout ??= setTimeout(this.abort, MAX_WRITE_MS);
    this.interrupt();
  }
}

/** SIGTERM waits 15 s before it kills; a batch that takes longer than this is given up, and the server rolls it back. */
const PATIENCE_MS = 10_000;
const EXIT_CODES = { SIGINT: 130, SIGTERM: 143 } as const;

/** SIGINT and SIGTERM while an import runs: it reads no further, writes what it has read, and says how far it came. */
export class Interruption {
  signal: keyof typeof EXIT_CODES | null = null;
  private interrupt: () => void = () => undefined;
  private patience: NodeJS.Timeout | undefined;
  private readonly listeners = { SIGINT: () => this.on('SIGINT'), SIGTERM: () => this.on('SIGTERM') };

  /** @param giveUp ends what is in flight when it takes too long */
  constructor(private readonly giveUp: () => void) {
    // Once: a second signal ends the process as it always does.
    process.once('SIGINT', this.listeners.SIGINT);
    process.once('SIGTERM', this.listeners.SIGTERM);
  }

  get exitCode(): number {
    return this.signal === null ? 0 : EXIT_CODES[this.signal];
  }

  /**
   * Waits for the first of these, or for a signal. (A race with one promise that lives as long as the import would keep
   * everything that ever won against it.)
   */
  async before<T>(...awaited: Promise<T>[]): Promise<T | 'interrupted'> {
    if (this.signal !== null) return 'interrupted';
    const signal = new Promise<'interrupted'>((resolve) => (this.interrupt = () => resolve('interrupted')));
    return Promise.race([...awaited, signal]);
  }

  stop(): void {
    clearTimeout(this.patience);
    process.off('SIGINT', this.listeners.SIGINT);
    process.off('SIGTERM', this.listeners.SIGTERM);
  }

  private on(signal: keyof typeof EXIT_CODES): void {
    this.signal ??= signal;
    this.patience ??= setTimeout(this.giveUp, PATIENCE_MS);
    this.interrupt();
  }
}

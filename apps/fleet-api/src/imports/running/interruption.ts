/** SIGTERM waits 15 s before it kills; a batch that takes longer than this is given up, and the server rolls it back. */
const PATIENCE_MS = 10_000;
const EXIT_CODES = { SIGINT: 130, SIGTERM: 143 } as const;

/** SIGINT and SIGTERM while an import runs: it reads no further, writes what it has read, and says how far it came. */
export class Interruption {
  signal: keyof typeof EXIT_CODES | null = null;
  /** Fulfilled when a signal arrives. */
  readonly arrival: Promise<'interrupted'>;
  private arrive: (arrival: 'interrupted') => void = () => undefined;
  private patience: NodeJS.Timeout | undefined;
  private readonly listeners = { SIGINT: () => this.on('SIGINT'), SIGTERM: () => this.on('SIGTERM') };

  /** @param giveUp ends what is in flight when it takes too long */
  constructor(private readonly giveUp: () => void) {
    this.arrival = new Promise((resolve) => (this.arrive = resolve));
    // Once: a second signal ends the process as it always does.
    process.once('SIGINT', this.listeners.SIGINT);
    process.once('SIGTERM', this.listeners.SIGTERM);
  }

  get exitCode(): number {
    return this.signal === null ? 0 : EXIT_CODES[this.signal];
  }

  stop(): void {
    clearTimeout(this.patience);
    process.off('SIGINT', this.listeners.SIGINT);
    process.off('SIGTERM', this.listeners.SIGTERM);
  }

  private on(signal: keyof typeof EXIT_CODES): void {
    this.signal ??= signal;
    this.patience ??= setTimeout(this.giveUp, PATIENCE_MS);
    this.arrive('interrupted');
  }
}

import { setTimeout as sleep } from 'node:timers/promises';

export interface Sample {
  /** Start of the request, from `performance.now()`. */
  at: number;
  /** `2xx`, status and error code, or the network error. */
  outcome: string;
  milliseconds: number;
}

/** Clients that each send one request after the other until `stop`. */
export class SteadyLoad {
  readonly samples: Sample[] = [];
  private readonly stopping = new AbortController();
  private readonly clients: Promise<void>[];

  /** @param send returns `2xx` or a short description of the error */
  constructor(clients: number, send: () => Promise<string>) {
    this.clients = Array.from({ length: clients }, () => this.runClient(send));
  }

  async stop(): Promise<Sample[]> {
    this.stopping.abort();
    await Promise.all(this.clients);
    return this.samples;
  }

  get failures(): Sample[] {
    return this.samples.filter(({ outcome }) => outcome !== '2xx');
  }

  private async runClient(send: () => Promise<string>): Promise<void> {
    while (!this.stopping.signal.aborted) {
      const started = performance.now();
      const outcome = await send().catch(
        (error: Error) => (error.cause as Error | undefined)?.message ?? error.message,
      );
      this.samples.push({ at: started, outcome, milliseconds: performance.now() - started });
      await sleep(5);
    }
  }
}

/** Formats each outcome with its count, such as `502 upstream_error x 3`. */
export function describeOutcomes(samples: readonly Sample[]): string {
  const counts = new Map<string, number>();
  for (const { outcome } of samples) counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  return [...counts].map(([outcome, count]) => `${outcome} x ${count}`).join(', ') || 'none';
}

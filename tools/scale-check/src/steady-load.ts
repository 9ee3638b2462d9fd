import { setTimeout as sleep } from 'node:timers/promises';

/** One answer, or what came in its place. */
export interface Sample {
  at: number;
  /** `2xx`, or the status and error code, or the network's error. */
  outcome: string;
  milliseconds: number;
}

/** A few clients that ask one after the other, without end, until they are told to stop. */
export class SteadyLoad {
  readonly samples: Sample[] = [];
  private readonly stopping = new AbortController();
  private readonly clients: Promise<void>[];

  /** @param ask answers `2xx`, or what was wrong */
  constructor(clients: number, ask: () => Promise<string>) {
    this.clients = Array.from({ length: clients }, () => this.askOn(ask));
  }

  async stop(): Promise<Sample[]> {
    this.stopping.abort();
    await Promise.all(this.clients);
    return this.samples;
  }

  get failures(): Sample[] {
    return this.samples.filter(({ outcome }) => outcome !== '2xx');
  }

  private async askOn(ask: () => Promise<string>): Promise<void> {
    while (!this.stopping.signal.aborted) {
      const begin = performance.now();
      const outcome = await ask().catch(
        (error: Error) => (error.cause as Error | undefined)?.message ?? error.message,
      );
      this.samples.push({ at: begin, outcome, milliseconds: performance.now() - begin });
      await sleep(5);
    }
  }
}

/** Each outcome with its count, such as `502 upstream_error x 3`. */
export function describeOutcomes(samples: readonly Sample[]): string {
  const counts = new Map<string, number>();
  for (const { outcome } of samples) counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  return [...counts].map(([outcome, count]) => `${outcome} x ${count}`).join(', ') || 'none';
}

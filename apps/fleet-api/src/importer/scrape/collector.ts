import { setTimeout as sleep } from 'node:timers/promises';
import { EndpointScraper, type Surroundings } from './endpoint-scraper.ts';
import { type Endpoint, endpointsOf, type Target } from './target.ts';

/** How often names are asked for their addresses. */
const RESOLVE_EVERY_MS = 30_000;

interface Running {
  end: AbortController;
  ended: Promise<void>;
}

/** Scrapes every exporter of its targets, each on its own: none waits for another. */
export class Collector {
  private readonly running = new Map<string, Running>();
  private readonly end = new AbortController();
  private readonly following: Promise<void>[] = [];

  constructor(
    private readonly targets: readonly Target[],
    private readonly shared: Surroundings,
  ) {}

  start(): void {
    for (const [index, target] of this.targets.entries()) {
      // Not all at once, now and ever after.
      const firstAfterMs = (index / this.targets.length) * this.shared.everySeconds * 1_000;
      this.following.push(this.follow(target, firstAfterMs));
    }
  }

  /** Ends every scrape; what has been read is written. */
  async stop(): Promise<void> {
    this.end.abort();
    await Promise.all(this.following);
    await Promise.all([...this.running.values()].map(({ ended }) => ended));
  }

  private async follow(target: Target, firstAfterMs: number): Promise<void> {
    let known: string[] = [];
    while (!this.end.signal.aborted) {
      try {
        const endpoints = await endpointsOf(target);
        const names = endpoints.map(({ name }) => name);
        for (const name of known) if (!names.includes(name)) this.running.get(name)?.end.abort();
        for (const endpoint of endpoints) this.run(endpoint, firstAfterMs);
        known = names;
      } catch (failure) {
        this.shared.logger.warn(
          { target: target.name, reason: (failure as Error).message },
          'name is not known',
        );
      }
      if (!target.everyAddress) return;
      await sleep(RESOLVE_EVERY_MS, undefined, { signal: this.end.signal }).catch(() => undefined);
    }
  }

  private run(endpoint: Endpoint, firstAfterMs: number): void {
    if (this.running.has(endpoint.name)) return;
    const end = new AbortController();
    const either = AbortSignal.any([end.signal, this.end.signal]);
    const ended = new EndpointScraper(endpoint, this.shared).run(firstAfterMs, either).finally(() => {
      this.running.delete(endpoint.name);
    });
    this.running.set(endpoint.name, { end, ended });
  }
}

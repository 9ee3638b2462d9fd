import { setTimeout as sleep } from 'node:timers/promises';
import { EndpointScraper, type ScraperContext } from './endpoint-scraper.ts';
import { type Endpoint, endpointsOf, type Target } from './target.ts';

/** Interval of DNS lookups of dns+ targets. */
const RESOLVE_INTERVAL_MS = 30_000;

interface Running {
  end: AbortController;
  ended: Promise<void>;
}

/** Scrapes all exporters of its targets, each independently. */
export class Collector {
  private readonly running = new Map<string, Running>();
  private readonly end = new AbortController();
  private readonly following: Promise<void>[] = [];

  constructor(
    private readonly targets: readonly Target[],
    private readonly shared: ScraperContext,
  ) {}

  start(): void {
    for (const [index, target] of this.targets.entries()) {
      // Spreads the scrapes evenly over the interval.
      const firstAfterMs = (index / this.targets.length) * this.shared.everySeconds * 1_000;
      this.following.push(this.follow(target, firstAfterMs));
    }
  }

  /** Stops all scrapers. Pages that were read are still written. */
  async stop(): Promise<void> {
    this.end.abort();
    await Promise.all(this.following);
    await Promise.all([...this.running.values()].map(({ ended }) => ended));
  }

  private async follow(target: Target, firstAfterMs: number): Promise<void> {
    let previousNames: string[] = [];
    while (!this.end.signal.aborted) {
      try {
        const endpoints = await endpointsOf(target);
        const names = endpoints.map(({ name }) => name);
        for (const name of previousNames) if (!names.includes(name)) this.running.get(name)?.end.abort();
        for (const endpoint of endpoints) this.run(endpoint, firstAfterMs);
        previousNames = names;
      } catch (failure) {
        this.shared.logger.warn(
          { target: target.name, reason: (failure as Error).message },
          'DNS lookup failed',
        );
      }
      if (!target.everyAddress) return;
      await sleep(RESOLVE_INTERVAL_MS, undefined, { signal: this.end.signal }).catch(() => undefined);
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

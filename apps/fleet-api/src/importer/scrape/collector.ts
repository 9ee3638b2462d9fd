import { setTimeout as sleep } from 'node:timers/promises';
import { EndpointScraper, type ScraperContext } from './endpoint-scraper.ts';
import { type Endpoint, endpointsOf, type Target } from './target.ts';

/** Interval of DNS lookups of dns+ targets. */
const RESOLVE_INTERVAL_MS = 30_000;

interface RunningScraper {
  controller: AbortController;
  /** Resolves when the scraper has ended. */
  ended: Promise<void>;
}

/** Scrapes all exporters of its targets, each independently. */
export class Collector {
  /** Running scrapers by the name of their endpoint. */
  private readonly scrapers = new Map<string, RunningScraper>();
  /** Aborts all scrapers and lookups. */
  private readonly stopAll = new AbortController();
  /** One per target: ends when no further lookup is due. */
  private readonly lookups: Promise<void>[] = [];

  constructor(
    private readonly targets: readonly Target[],
    private readonly context: ScraperContext,
  ) {}

  start(): void {
    for (const [index, target] of this.targets.entries()) {
      // Spreads the scrapes evenly over the interval.
      const firstAfterMs = (index / this.targets.length) * this.context.everySeconds * 1_000;
      this.lookups.push(this.scrapeTarget(target, firstAfterMs));
    }
  }

  /** Stops all scrapers. Pages that were read are still written. */
  async stop(): Promise<void> {
    this.stopAll.abort();
    await Promise.all(this.lookups);
    await Promise.all([...this.scrapers.values()].map(({ ended }) => ended));
  }

  /**
   * Starts a scraper for each endpoint of a target. One with dns+ is looked up repeatedly: new endpoints are scraped, and those that
   * a lookup does not return are stopped.
   */
  private async scrapeTarget(target: Target, firstAfterMs: number): Promise<void> {
    let previousNames: string[] = [];
    while (!this.stopAll.signal.aborted) {
      const endpoints = await this.lookUp(target);
      if (endpoints !== null) {
        const names = endpoints.map(({ name }) => name);
        for (const name of previousNames)
          if (!names.includes(name)) this.scrapers.get(name)?.controller.abort();
        for (const endpoint of endpoints) this.startScraper(endpoint, firstAfterMs);
        previousNames = names;
      }
      if (!target.everyAddress) return;
      await sleep(RESOLVE_INTERVAL_MS, undefined, { signal: this.stopAll.signal }).catch(() => undefined);
    }
  }

  /** Returns the endpoints of a target, or null if the lookup fails. */
  private async lookUp(target: Target): Promise<Endpoint[] | null> {
    try {
      return await endpointsOf(target);
    } catch (failure) {
      const reason = (failure as Error).message;
      this.context.logger.warn({ target: target.name, reason }, 'DNS lookup failed');
      return null;
    }
  }

  /** Starts the scraper of an endpoint. If an aborted one has not ended yet, the next lookup starts it. */
  private startScraper(endpoint: Endpoint, firstAfterMs: number): void {
    if (this.scrapers.has(endpoint.name)) return;
    const controller = new AbortController();
    const signal = AbortSignal.any([controller.signal, this.stopAll.signal]);
    const ended = new EndpointScraper(endpoint, this.context).run(firstAfterMs, signal).finally(() => {
      this.scrapers.delete(endpoint.name);
    });
    this.scrapers.set(endpoint.name, { controller, ended });
  }
}

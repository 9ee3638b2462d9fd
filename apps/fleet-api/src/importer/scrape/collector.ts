import { setTimeout as sleep } from 'node:timers/promises';
import { EndpointScraper, type ScraperContext } from './endpoint-scraper.ts';
import { type Endpoint, endpointsOf, type Target } from './target.ts';

/** Interval of DNS lookups of dns+ targets. */
const RESOLVE_INTERVAL_MS = 30_000;

interface RunningScraper {
  abort: AbortController;
  /** Resolves when the scraper has ended. */
  ended: Promise<void>;
}

/** Scrapes all exporters of its targets, each independently. */
export class Collector {
  /** Running scrapers by the name of their endpoint. */
  private readonly scrapers = new Map<string, RunningScraper>();
  /** Aborts all scrapers and lookups. */
  private readonly abort = new AbortController();
  private readonly lookups: Promise<void>[] = [];

  constructor(
    private readonly targets: readonly Target[],
    private readonly context: ScraperContext,
  ) {}

  start(): void {
    for (const [index, target] of this.targets.entries()) {
      // Spreads the scrapes evenly over the interval.
      const firstAfterMs = (index / this.targets.length) * this.context.everySeconds * 1_000;
      this.lookups.push(this.lookUpAndScrape(target, firstAfterMs));
    }
  }

  /** Stops all scrapers. Pages that were read are still written. */
  async stop(): Promise<void> {
    this.abort.abort();
    await Promise.all(this.lookups);
    await Promise.all([...this.scrapers.values()].map(({ ended }) => ended));
  }

  /** Starts a scraper for each endpoint of a target, and stops those of endpoints that a later lookup does not return. */
  private async lookUpAndScrape(target: Target, firstAfterMs: number): Promise<void> {
    let previousNames: string[] = [];
    while (!this.abort.signal.aborted) {
      try {
        const endpoints = await endpointsOf(target);
        const names = endpoints.map(({ name }) => name);
        for (const name of previousNames) if (!names.includes(name)) this.scrapers.get(name)?.abort.abort();
        for (const endpoint of endpoints) this.startScraper(endpoint, firstAfterMs);
        previousNames = names;
      } catch (failure) {
        const reason = (failure as Error).message;
        this.context.logger.warn({ target: target.name, reason }, 'DNS lookup failed');
      }
      if (!target.everyAddress) return;
      await sleep(RESOLVE_INTERVAL_MS, undefined, { signal: this.abort.signal }).catch(() => undefined);
    }
  }

  private startScraper(endpoint: Endpoint, firstAfterMs: number): void {
    if (this.scrapers.has(endpoint.name)) return;
    const abort = new AbortController();
    const signal = AbortSignal.any([abort.signal, this.abort.signal]);
    const ended = new EndpointScraper(endpoint, this.context).run(firstAfterMs, signal).finally(() => {
      this.scrapers.delete(endpoint.name);
    });
    this.scrapers.set(endpoint.name, { abort, ended });
  }
}

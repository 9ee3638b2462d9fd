import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '@gpu-observatory/service-runtime/monitoring';
import type { ConcurrencyLimiter } from '../../model/concurrency-limiter.ts';
import type { XidCatalog } from '../../model/health/xid-catalog.ts';
import type { RecordReader } from '../records/record-reader.ts';
import type { CollectorMetrics } from './collector-metrics.ts';
import type { CredentialFiles } from './credentials.ts';
import { getPage } from './get-page.ts';
import { PageStaleness } from './page-staleness.ts';
import { type Page, readPage } from './read-page.ts';
import type { ScrapeWriter } from './scrape-writer.ts';
import type { Endpoint } from './target.ts';

/** Settings and services that all scrapers of a collector share. */
export interface ScraperContext {
  everySeconds: number;
  timeoutSeconds: number;
  credentials: CredentialFiles;
  reader: RecordReader;
  writer: ScrapeWriter;
  /** Limits the number of pages that are read concurrently. */
  pages: ConcurrencyLimiter;
  metrics: CollectorMetrics;
  xidCatalog: XidCatalog;
  logger: Logger;
}

/** Upper bound of the exponential backoff for a target that is down. */
const MAX_BACKOFF_MS = 120_000;
const MAX_LOGGED_REASONS = 5;
/** Reasons that are not logged: exporters have more metrics than are stored. */
const NOT_STORED = /is not a stored metric$/;

/** Scrapes one exporter periodically, until it is aborted. */
export class EndpointScraper {
  /** Number of failed scrapes since the last page. */
  private failures = 0;
  private downSinceMs: number | null = null;
  private readonly staleness = new PageStaleness();
  /** Reasons of rejected lines of the last scrape, without numbers. */
  private loggedReasons = '';

  constructor(
    private readonly endpoint: Endpoint,
    private readonly context: ScraperContext,
  ) {}

  /** @param end aborts the scraper and its request */
  async run(firstAfterMs: number, end: AbortSignal): Promise<void> {
    const { metrics, everySeconds } = this.context;
    let waitMs = firstAfterMs;
    while (await sleepUnlessAborted(waitMs, end)) {
      const beganMs = Date.now();
      await this.scrape(end);
      const everyMs = everySeconds * 1_000;
      const backoffMs = everyMs * 2 ** this.failures;
      const intervalMs = Math.min(backoffMs, Math.max(MAX_BACKOFF_MS, everyMs));
      waitMs = Math.max(0, beganMs + intervalMs - Date.now());
    }
    metrics.remove(this.endpoint.name);
  }

  private async scrape(end: AbortSignal): Promise<void> {
    const { reader, everySeconds, timeoutSeconds, credentials, pages, metrics, xidCatalog } = this.context;
    const at = new Date();
    const timeout = AbortSignal.timeout(timeoutSeconds * 1_000);
    const { url, address } = this.endpoint;
    const hosts = { override: this.endpoint.host, fallback: address ?? url.hostname };
    let page: Page;
    try {
      const response = await getPage(this.endpoint, credentials, AbortSignal.any([end, timeout]));
      page = await pages.run(() => readPage(response, { at, reader, everySeconds, hosts, xidCatalog }));
    } catch (failure) {
      const reason = timeout.aborted ? `no page within ${timeoutSeconds} s` : (failure as Error).message;
      if (!end.aborted) this.recordDown(reason || String((failure as NodeJS.ErrnoException).code));
      return;
    }
    metrics.seconds.observe((Date.now() - at.getTime()) / 1_000);
    metrics.records.inc({ outcome: 'rejected' }, page.reasons.length);
    this.recordUp();
    this.logReasons(page.reasons);
    if (this.staleness.update(page, at.getTime())) this.logStaleness();
    const { isStale } = this.staleness;
    metrics.setTargetUp(this.endpoint.name, !isStale);
    if (isStale) metrics.scrapes.inc({ result: 'stale' });
    else await this.store(page);
  }

  private async store({ records }: Page): Promise<void> {
    const { metrics, writer, logger } = this.context;
    try {
      const { written, duplicate, rejectReasons } = await writer.write(records);
      metrics.scrapes.inc({ result: 'stored' });
      metrics.records.inc({ outcome: 'written' }, written);
      metrics.records.inc({ outcome: 'duplicate' }, duplicate);
      metrics.records.inc({ outcome: 'rejected' }, rejectReasons.length);
      if (rejectReasons.length > 0) this.logReasons(rejectReasons);
    } catch (failure) {
      metrics.scrapes.inc({ result: 'failed' });
      logger.error({ target: this.endpoint.name, err: failure }, 'scrape not stored');
    }
  }

  private recordUp(): void {
    if (this.downSinceMs !== null) {
      const downSeconds = Math.round((Date.now() - this.downSinceMs) / 1_000);
      this.context.logger.info({ target: this.endpoint.name, downSeconds }, 'target is back');
    }
    this.failures = 0;
    this.downSinceMs = null;
  }

  private recordDown(reason: string): void {
    const { logger, metrics } = this.context;
    this.failures += 1;
    metrics.scrapes.inc({ result: 'failed' });
    metrics.setTargetUp(this.endpoint.name, false);
    const about = { target: this.endpoint.name, reason, failures: this.failures };
    if (this.downSinceMs === null) logger.warn(about, 'target is down');
    else logger.debug(about, 'target is still down');
    this.downSinceMs ??= Date.now();
  }

  private logStaleness(): void {
    const { logger } = this.context;
    const { isStale, unchangedSinceMs } = this.staleness;
    const target = this.endpoint.name;
    if (isStale) {
      const since = new Date(unchangedSinceMs).toISOString();
      logger.warn({ target, since }, 'page does not change, so it is not stored');
    } else logger.info({ target }, 'page changes again');
  }

  /** Logs reasons when they change. */
  private logReasons(all: string[]): void {
    const relevant = new Set(all.filter((reason) => !NOT_STORED.test(reason)));
    const reasons = [...relevant].slice(0, MAX_LOGGED_REASONS);
    // Without numbers: values differ between scrapes.
    const text = reasons.join('; ').replace(/\d+/g, '');
    if (text !== this.loggedReasons && reasons.length > 0)
      this.context.logger.warn({ target: this.endpoint.name, reasons }, 'lines rejected');
    this.loggedReasons = text;
  }
}

/** @returns false if the wait was aborted */
async function sleepUnlessAborted(milliseconds: number, end: AbortSignal): Promise<boolean> {
  await sleep(milliseconds, undefined, { signal: end }).catch(() => undefined);
  return !end.aborted;
}

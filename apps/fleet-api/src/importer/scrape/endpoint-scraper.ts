import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '@gpu-observatory/service-runtime/process';
import type { ConcurrencyLimiter } from '../../model/concurrency-limiter.ts';
import type { XidCatalog } from '../../model/health/xid-catalog.ts';
import type { RecordReader } from '../records/record-reader.ts';
import type { CollectorMetrics } from './collector-metrics.ts';
import type { CredentialFiles } from './credentials.ts';
import { getPage } from './get-page.ts';
import { type Page, readPage } from './read-page.ts';
import type { ScrapeWriter } from './scrape-writer.ts';
import type { Endpoint } from './target.ts';

/** Shared by all scrapers of a collector. */
export interface ScraperContext {
  everySeconds: number;
  timeoutSeconds: number;
  credentials: CredentialFiles;
  reader: RecordReader;
  writer: ScrapeWriter;
  pages: ConcurrencyLimiter;
  metrics: CollectorMetrics;
  xidCatalog: XidCatalog;
  logger: Logger;
}

/** Upper bound of the exponential backoff for a target that is down. */
const MAX_BACKOFF_MS = 120_000;
/**
 * Energy and power change within minutes. A page that has them and does not change at all is from an exporter that has lost its
 * GPUs and repeats the last readings. Without them, an idle GPU has the same page for hours.
 */
const STALE_AFTER_MS = 300_000;
const MAX_LOGGED_REASONS = 5;
/** Not logged: exporters have more metrics than are stored. */
const NOT_STORED = /is not a stored metric$/;

/** Scrapes one exporter periodically, until it is aborted. */
export class EndpointScraper {
  private failures = 0;
  private downSinceMs: number | null = null;
  private lastDigest = '';
  private changedAtMs = 0;
  private isStale = false;
  private loggedReasons = '';

  constructor(
    readonly endpoint: Endpoint,
    private readonly shared: ScraperContext,
  ) {}

  async run(firstAfterMs: number, end: AbortSignal): Promise<void> {
    const { metrics, everySeconds } = this.shared;
    let waitMs = firstAfterMs;
    while (await slept(waitMs, end)) {
      const began = Date.now();
      await this.scrape(end);
      const dueMs = everySeconds * 1_000 * 2 ** Math.min(this.failures, 10);
      const intervalMs = Math.min(dueMs, Math.max(MAX_BACKOFF_MS, everySeconds * 1_000));
      waitMs = Math.max(0, began + intervalMs - Date.now());
    }
    metrics.remove(this.endpoint.name);
  }

  private async scrape(end: AbortSignal): Promise<void> {
    const { reader, everySeconds, timeoutSeconds, credentials, pages, metrics, xidCatalog } = this.shared;
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
      if (!end.aborted) this.down(reason || String((failure as NodeJS.ErrnoException).code));
      return;
    }
    metrics.seconds.observe((Date.now() - at.getTime()) / 1_000);
    metrics.records.inc({ outcome: 'rejected' }, page.reasons.length);
    this.responded();
    this.logReasons(page.reasons);
    const isStale = this.isStalePage(page, at.getTime());
    metrics.setUp(this.endpoint.name, !isStale);
    if (isStale) metrics.scrapes.inc({ result: 'stale' });
    else await this.store(page);
  }

  private async store({ records }: Page): Promise<void> {
    const { metrics, writer, logger } = this.shared;
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

  private responded(): void {
    if (this.downSinceMs !== null) {
      const downSeconds = Math.round((Date.now() - this.downSinceMs) / 1_000);
      this.shared.logger.info({ target: this.endpoint.name, downSeconds }, 'target is back');
    }
    this.failures = 0;
    this.downSinceMs = null;
  }

  private down(reason: string): void {
    const { logger, metrics } = this.shared;
    this.failures += 1;
    metrics.scrapes.inc({ result: 'failed' });
    metrics.setUp(this.endpoint.name, false);
    const about = { target: this.endpoint.name, reason, failures: this.failures };
    if (this.downSinceMs === null) logger.warn(about, 'target is down');
    else logger.debug(about, 'target is still down');
    this.downSinceMs ??= Date.now();
  }

  /** Returns whether the page has been unchanged for too long to be current. */
  private isStalePage({ digest, mustChange }: Page, nowMs: number): boolean {
    const { logger } = this.shared;
    if (digest !== this.lastDigest) {
      this.lastDigest = digest;
      this.changedAtMs = nowMs;
    }
    const isStale = mustChange && nowMs - this.changedAtMs >= STALE_AFTER_MS;
    const target = this.endpoint.name;
    if (isStale && !this.isStale)
      logger.warn(
        { target, since: new Date(this.changedAtMs).toISOString() },
        'page does not change, so it is not stored',
      );
    if (!isStale && this.isStale) logger.info({ target }, 'page changes again');
    this.isStale = isStale;
    return isStale;
  }

  /** Logs reasons when they change. */
  private logReasons(all: string[]): void {
    const reasons = [...new Set(all.filter((reason) => !NOT_STORED.test(reason)))].slice(
      0,
      MAX_LOGGED_REASONS,
    );
    // Without numbers: values differ between scrapes.
    const text = reasons.join('; ').replace(/\d+/g, '');
    if (text !== this.loggedReasons && reasons.length > 0)
      this.shared.logger.warn({ target: this.endpoint.name, reasons }, 'lines rejected');
    this.loggedReasons = text;
  }
}

async function slept(milliseconds: number, end: AbortSignal): Promise<boolean> {
  await sleep(milliseconds, undefined, { signal: end }).catch(() => undefined);
  return !end.aborted;
}

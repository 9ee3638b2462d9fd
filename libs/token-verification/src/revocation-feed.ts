import { MINUTE_MS, SECOND_MS } from '@gpu-observatory/domain-types';
import type { Metrics } from '@gpu-observatory/service-runtime/monitoring';
import { checkPage, type RevocationSource } from './revocation-source.ts';
import { Revocations } from './revocations.ts';

const POLL_INTERVAL_MS = 500;
/** Timeout of one page. A read in flight, the poll interval and the next read together take less than 2 s. */
const PAGE_TIMEOUT_MS = 700;
/** Each poll starts this long before the last one, so that a transaction that commits late is not missed. */
const OVERLAP_MS = 10 * SECOND_MS;

/** A full read also finds the revocations of a transaction that took longer than the overlap. */
const FULL_READ_INTERVAL_MS = MINUTE_MS;
/** Limits the share of time that full reads of a large feed take to a twentieth. */
const FULL_READ_PAUSE_FACTOR = 20;
const FULL_READ_RETRY_MS = 5 * SECOND_MS;
const FULL_READ_PAGE_TIMEOUT_MS = 10 * SECOND_MS;

const DEFAULT_STALENESS_LIMIT_SECONDS = 10;

export interface RevocationFeedOptions {
  onError?: (error: unknown) => void;
  /** Age from which the feed counts as stale. Default: 10. */
  stalenessLimitSeconds?: number;
  /** Makes a replica with a stale feed not ready. Off by default: an outage of account-service must not stop the others. */
  isRequiredForReadiness?: boolean;
  /** Monotonic milliseconds; for tests. */
  now?: () => number;
}

/**
 * Follows the revocation feed, so that revocations take effect within 2 s without a call per request. While the feed is
 * unavailable, the entries read before stay in effect. Full reads run concurrently with the polls, so a full read that
 * is slow or fails delays no revocation (`docs/account-service.md#revocation`).
 */
export class RevocationFeed {
  readonly revocations = new Revocations();
  /** Time of the database at the start of the last completed read; null until the first full read. */
  private asOf: string | null = null;
  private readAtMs: number | null = null;
  private fullReadAtMs: number | null = null;
  private poll: FeedRead | null = null;
  private fullRead: FeedRead | null = null;
  private isFullReadRunning = false;
  private fullReadDueAtMs = -Infinity;
  private expiryDueAtMs = -Infinity;
  private timer: NodeJS.Timeout | undefined;
  private stopped = false;
  private readonly onError: (error: unknown) => void;
  private readonly stalenessLimitSeconds: number;
  private readonly isRequiredForReadiness: boolean;
  private readonly now: () => number;

  constructor(
    private readonly source: RevocationSource,
    options: RevocationFeedOptions = {},
  ) {
    this.onError = options.onError ?? (() => undefined);
    this.stalenessLimitSeconds = options.stalenessLimitSeconds ?? DEFAULT_STALENESS_LIMIT_SECONDS;
    this.isRequiredForReadiness = options.isRequiredForReadiness ?? false;
    this.now = options.now ?? (() => performance.now());
  }

  /** Starts following the feed; resolves after the first full read, even if it fails. */
  async start(): Promise<void> {
    await this.readAll();
    this.scheduleNextPoll();
  }

  stop(): void {
    this.stopped = true;
    clearTimeout(this.timer);
  }

  /** Null once the feed has been read completely: a replica without it must not receive traffic. */
  get unavailableReason(): string | null {
    if (this.readAtMs === null) return 'the revocation feed has not been read yet';
    return this.isStale && this.isRequiredForReadiness ? this.freshness : null;
  }

  /** One line about the age of the feed: the detail of the readiness check. */
  get freshness(): string {
    const seconds = Math.round(this.ageSeconds);
    return this.isStale
      ? `stale: the revocation feed was last read ${seconds} s ago, the limit is ${this.stalenessLimitSeconds} s`
      : `last read ${seconds} s ago`;
  }

  get isStale(): boolean {
    return this.ageSeconds > this.stalenessLimitSeconds;
  }

  /** Time since the start of the last completed read; infinite before the first one. */
  get ageSeconds(): number {
    return this.secondsSince(this.readAtMs);
  }

  /** Time since the start of the last completed full read; infinite before the first one. */
  get fullReadAgeSeconds(): number {
    return this.secondsSince(this.fullReadAtMs);
  }

  private secondsSince(instantMs: number | null): number {
    return instantMs === null ? Infinity : (this.now() - instantMs) / SECOND_MS;
  }

  private scheduleNextPoll(): void {
    if (this.stopped) return;
    this.timer = setTimeout(() => {
      if (this.now() >= this.fullReadDueAtMs) void this.readAll();
      void this.readRecent().then(() => this.scheduleNextPoll());
    }, POLL_INTERVAL_MS);
    this.timer.unref();
  }

  /** Reads the revocations since the last read. A poll that failed resumes at the page that failed. */
  private async readRecent(): Promise<void> {
    if (this.asOf === null) return;
    const since = new Date(Date.parse(this.asOf) - OVERLAP_MS).toISOString();
    this.poll ??= new FeedRead(since, this.now());
    try {
      this.complete(await this.poll.run(this.source, PAGE_TIMEOUT_MS, this.revocations), this.poll);
      this.poll = null;
    } catch (error) {
      this.onError(error);
    }
  }

  private async readAll(): Promise<void> {
    if (this.isFullReadRunning) return;
    this.isFullReadRunning = true;
    this.fullRead ??= new FeedRead(null, this.now());
    const startedAtMs = this.now();
    try {
      const asOf = await this.fullRead.run(this.source, FULL_READ_PAGE_TIMEOUT_MS, this.revocations);
      // The polls follow the feed from then on.
      if (this.asOf === null) this.complete(asOf, this.fullRead);
      this.fullReadAtMs = this.fullRead.startedAtMs;
      this.fullRead = null;
      const pauseMs = (this.now() - startedAtMs) * FULL_READ_PAUSE_FACTOR;
      this.fullReadDueAtMs = this.now() + Math.max(FULL_READ_INTERVAL_MS, pauseMs);
    } catch (error) {
      if (this.asOf !== null) this.fullReadDueAtMs = this.now() + FULL_READ_RETRY_MS;
      this.onError(error);
    } finally {
      this.isFullReadRunning = false;
    }
  }

  private complete(asOf: string, { startedAtMs }: FeedRead): void {
    this.asOf = asOf;
    this.readAtMs = startedAtMs;
    if (this.now() < this.expiryDueAtMs) return;
    this.expiryDueAtMs = this.now() + MINUTE_MS;
    this.revocations.removeExpired();
  }
}

/** Registers the metrics of a feed, under the same names in every service. */
export function registerFeedMetrics(feed: RevocationFeed, metrics: Pick<Metrics, 'gauge'>): void {
  metrics.gauge(
    'revocation_feed_age_seconds',
    'Time since the revocation feed was last read.',
    () => feed.ageSeconds,
  );
  metrics.gauge(
    'revocation_feed_full_read_age_seconds',
    'Time since the revocation feed was last read completely.',
    () => feed.fullReadAgeSeconds,
  );
  metrics.gauge('revocation_feed_stale', 'Whether the age exceeds the configured limit (1) or not (0).', () =>
    Number(feed.isStale),
  );
  metrics.gauge('revocation_feed_entries', 'Revocations in memory.', () => feed.revocations.size);
}

/** One read over all pages since an instant. Each page takes effect as soon as it is read. */
class FeedRead {
  private asOf: string | null = null;
  private after: string | null = null;

  constructor(
    private readonly since: string | null,
    readonly startedAtMs: number,
  ) {}

  /**
   * Reads the remaining pages. After a failure, call it again to resume.
   *
   * @returns the time of the first page
   */
  async run(source: RevocationSource, timeoutMs: number, revocations: Revocations): Promise<string> {
    for (;;) {
      const position = { since: this.since, after: this.after };
      const page = checkPage(await source(position, timeoutMs));
      this.asOf ??= page.asOf;
      for (const revocation of page.revocations) revocations.add(revocation);
      revocations.addSessions(page.sessions);
      if (page.next === null) return this.asOf;
      this.after = page.next;
    }
  }
}

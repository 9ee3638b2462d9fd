import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Database, DependencyUnavailable } from '@gpu-observatory/service-runtime/process';
import { WebsiteConfig } from '../config/website.config.ts';
import { ContentSnapshot } from './content-snapshot.ts';
import { readContentVersion, readPublishedPosts } from './posts.queries.ts';

/** Upper bound on how long a sync or a scheduled post stays invisible. */
const CHECK_INTERVAL_MS = 1_000;
/** Loading 50,000 posts takes seconds. An outage ends it earlier: the probe of `Database` detects it. */
const LOAD_TIMEOUT_MS = 30_000;
const BEGIN_SNAPSHOT = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY';

/**
 * Holds all published content in memory and reloads it when its version changes, so rendering a page needs no query.
 * While the database is unavailable, readers get the last snapshot.
 */
@Injectable()
export class PublishedContent implements OnApplicationBootstrap {
  private snapshot: ContentSnapshot | undefined;
  private version: string | undefined;
  private checkedAtMs = -Infinity;
  private refreshing: Promise<ContentSnapshot> | undefined;

  constructor(
    private readonly database: Database,
    private readonly config: WebsiteConfig,
  ) {}

  /** Loads the content before the first request, which loads it if the database is unavailable now. */
  onApplicationBootstrap(): void {
    this.current().catch(() => undefined);
  }

  /** The last snapshot, however old; undefined before the first load. */
  get latest(): ContentSnapshot | undefined {
    return this.snapshot;
  }

  /** @throws {DependencyUnavailable} if the database is unavailable before the first load */
  async current(): Promise<ContentSnapshot> {
    if (this.snapshot && performance.now() - this.checkedAtMs < CHECK_INTERVAL_MS) return this.snapshot;
    this.refreshing ??= this.refresh().finally(() => {
      this.refreshing = undefined;
    });
    return this.refreshing;
  }

  private async refresh(): Promise<ContentSnapshot> {
    try {
      const version = await readContentVersion(this.database);
      if (!this.snapshot || version !== this.version) await this.load();
    } catch (failure) {
      if (!(failure instanceof DependencyUnavailable) || !this.snapshot) throw failure;
    }
    this.checkedAtMs = performance.now();
    return this.snapshot as ContentSnapshot;
  }

  private async load(): Promise<void> {
    await this.database.transaction(
      async (transaction) => {
        this.version = await readContentVersion(transaction);
        this.snapshot = new ContentSnapshot(await readPublishedPosts(transaction, this.config.site.siteUrl));
      },
      { begin: BEGIN_SNAPSHOT, timeoutMs: LOAD_TIMEOUT_MS },
    );
  }
}

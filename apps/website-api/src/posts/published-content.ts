import { DependencyUnavailable } from '@gpu-observatory/error-envelopes';
import type { Database } from '@gpu-observatory/service-runtime';
import { ContentSnapshot } from './content-snapshot.ts';
import { readContentState, readPublishedPosts, readTerms } from './posts.queries.ts';

/** A sync, and a post whose time comes, show within this time. */
const LOOK_EVERY_MS = 1_000;
const SNAPSHOT = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY';

/**
 * What the site publishes at this moment. All of it is held in memory, read anew only when it changed, so that a page
 * costs no query. While the database is away, readers go on to get what was read last.
 */
export class PublishedContent {
  private snapshot: ContentSnapshot | undefined;
  private state: string | undefined;
  private lookedAtMs = -Infinity;
  private looking: Promise<ContentSnapshot> | undefined;

  constructor(
    private readonly database: Database,
    private readonly siteUrl: string,
  ) {}

  /** What was read last, if anything was. */
  get lastKnown(): ContentSnapshot | undefined {
    return this.snapshot;
  }

  /** What is known to be published without a look; undefined when it is time for one. */
  get looked(): ContentSnapshot | undefined {
    return performance.now() - this.lookedAtMs < LOOK_EVERY_MS ? this.snapshot : undefined;
  }

  /** @throws {DependencyUnavailable} when the database is away and nothing was ever read */
  async current(): Promise<ContentSnapshot> {
    if (this.looked) return this.looked;
    this.looking ??= this.look().finally(() => {
      this.looking = undefined;
    });
    return this.looking;
  }

  private async look(): Promise<ContentSnapshot> {
    try {
      const state = await readContentState(this.database);
      if (!this.snapshot || state !== this.state) await this.read();
    } catch (failure) {
      if (!(failure instanceof DependencyUnavailable) || !this.snapshot) throw failure;
    }
    this.lookedAtMs = performance.now();
    return this.snapshot as ContentSnapshot;
  }

  private async read(): Promise<void> {
    await this.database.transaction(
      async (transaction) => {
        this.state = await readContentState(transaction);
        this.snapshot = new ContentSnapshot(
          await readPublishedPosts(transaction, this.siteUrl),
          await readTerms(transaction, 'categories'),
          await readTerms(transaction, 'tags'),
        );
      },
      { begin: SNAPSHOT },
    );
  }
}

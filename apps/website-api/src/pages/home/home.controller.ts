import { Get } from '@nestjs/common';
import { DependencyUnavailable } from '@gpu-observatory/service-runtime/process';
import type { Page } from '../../negotiation/page.ts';
import { PageController } from '../../negotiation/page.interceptor.ts';
import type { ContentSnapshot } from '../../posts/content-snapshot.ts';
import { PublishedContent } from '../../posts/published-content.ts';
import { SitePages } from '../site-pages.tsx';

/** `GET /` and its markdown twin. Unknown query parameters are ignored, because links carry tracking parameters. */
@PageController()
export class HomeController {
  constructor(
    private readonly content: PublishedContent,
    private readonly pages: SitePages,
  ) {}

  @Get(['', 'index.md'])
  async getHome(): Promise<Page> {
    return this.pages.home(await this.snapshot());
  }

  /** Returns undefined if the database is unavailable: the home page renders without posts. */
  private snapshot(): Promise<ContentSnapshot | undefined> {
    return this.content.current().catch((failure: unknown) => {
      if (failure instanceof DependencyUnavailable) return undefined;
      throw failure;
    });
  }
}

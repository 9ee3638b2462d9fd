import { Get } from '@nestjs/common';
import { DependencyUnavailable } from '@gpu-observatory/service-runtime/process';
import type { Page } from '../negotiation/page.ts';
import { PageController } from '../negotiation/page.interceptor.ts';
import { PublishedContent } from '../posts/published-content.ts';
import { SitePages } from './site-pages.tsx';

/**
 * The pages outside of the blog, with their markdown twins. Unknown query parameters are ignored, because links carry tracking
 * parameters.
 */
@PageController()
export class PagesController {
  constructor(
    private readonly content: PublishedContent,
    private readonly pages: SitePages,
  ) {}

  /** Without posts while the database is unavailable. */
  @Get(['', 'index.md'])
  async getHome(): Promise<Page> {
    const snapshot = await this.content.current().catch((failure: unknown) => {
      if (failure instanceof DependencyUnavailable) return undefined;
      throw failure;
    });
    return this.pages.home(snapshot);
  }

  @Get(['developers', 'developers.md'])
  getDevelopers(): Page {
    return this.pages.developers;
  }

  @Get(['contact', 'contact.md'])
  getContact(): Page {
    return this.pages.contact;
  }

  /** The page after the contact form. */
  @Get(['contact/sent', 'contact/sent.md'])
  getContactSent(): Page {
    return this.pages.contactSent;
  }
}

import { Get } from '@nestjs/common';
import type { Page } from '../../negotiation/page.ts';
import { PageController } from '../../negotiation/page.interceptor.ts';
import { SitePages } from '../site-pages.tsx';

/** `GET /developers` and its markdown twin: the guide for API clients. */
@PageController()
export class DevelopersController {
  constructor(private readonly pages: SitePages) {}

  @Get(['developers', 'developers.md'])
  getDevelopers(): Page {
    return this.pages.developers;
  }
}

import { Controller, Get } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Representation } from '@gpu-observatory/service-runtime';
import { SiteConfig } from '../config/site.config.ts';
import { SitePages } from '../pages/site-pages.tsx';
import { PublishedContent } from '../posts/published-content.ts';
import { siteIdentity } from '../site/site-identity.ts';
import { rssFeed } from './rss.ts';
import { sitemap } from './sitemap.ts';

const XML = 'application/xml; charset=utf-8';

/** `/feed.xml`, `/sitemap.xml` and `/robots.txt`. */
@ApiExcludeController()
@Controller()
export class FeedsController {
  private readonly robots: Representation;

  constructor(
    private readonly content: PublishedContent,
    private readonly pages: SitePages,
    private readonly config: SiteConfig,
  ) {
    const { siteUrl } = config;
    this.robots = new Representation(
      'text/plain; charset=utf-8',
      `# Agents find an index at ${siteUrl}/llms.txt\nUser-agent: *\nAllow: /\n\nSitemap: ${siteUrl}/sitemap.xml\n`,
    );
  }

  @Get('feed.xml')
  async getFeed(): Promise<Representation> {
    const snapshot = await this.content.current();
    return snapshot.representation(
      'feed.xml',
      () => new Representation(XML, rssFeed(snapshot, siteIdentity(this.config))),
    );
  }

  @Get('sitemap.xml')
  async getSitemap(): Promise<Representation> {
    const snapshot = await this.content.current();
    const cached = snapshot.cached('sitemap.xml');
    if (cached) return cached;
    const xml = await sitemap(this.pages.all(snapshot), this.config.siteUrl);
    return snapshot.representation('sitemap.xml', () => new Representation(XML, xml));
  }

  @Get('robots.txt')
  getRobots(): Representation {
    return this.robots;
  }
}

import { Controller, Get, Header, NotFoundException, Param, Redirect } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { PUBLIC, Representation } from '@gpu-observatory/service-runtime';
import { WebsiteConfig } from '../config/website.config.ts';
import { SitePages } from '../pages/site-pages.tsx';
import type { ContentSnapshot } from '../posts/content-snapshot.ts';
import { PublishedContent } from '../posts/published-content.ts';
import { siteIdentity } from '../site/site-identity.ts';
import { rssFeed } from './rss.ts';
import { sitemapFiles } from './sitemap.ts';

const XML = 'application/xml; charset=utf-8';

/** `/feed.xml`, `/sitemap.xml` and `/robots.txt`. */
@ApiExcludeController()
@Controller()
export class FeedsController {
  private readonly robots: Representation;
  private readonly sitemaps = new WeakMap<ContentSnapshot, Promise<Representation[]>>();

  constructor(
    private readonly content: PublishedContent,
    private readonly pages: SitePages,
    private readonly config: WebsiteConfig,
  ) {
    const { siteUrl } = config.site;
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
      () => new Representation(XML, rssFeed(snapshot, siteIdentity(this.config.site)), snapshot.loadedAt),
    );
  }

  /** Usual paths of feeds, to which readers of a moved blog are subscribed. */
  @Get(['rss.xml', 'feed', 'atom.xml', 'index.xml'])
  @Header('cache-control', PUBLIC)
  @Redirect('/feed.xml', 301)
  redirectToFeed(): void {}

  @Get('sitemap.xml')
  async getSitemap(): Promise<Representation> {
    return (await this.sitemapFiles())[0]!;
  }

  /** A file of the sitemap index, if all pages do not fit into one file. */
  @Get('sitemap-:number(^[1-9]\\d*).xml')
  async getSitemapFile(@Param('number') number: string): Promise<Representation> {
    const file = (await this.sitemapFiles())[Number(number)];
    if (!file) throw new NotFoundException();
    return file;
  }

  @Get('robots.txt')
  getRobots(): Representation {
    return this.robots;
  }

  private async sitemapFiles(): Promise<Representation[]> {
    const snapshot = await this.content.current();
    const files =
      this.sitemaps.get(snapshot) ??
      sitemapFiles(this.pages.all(snapshot), this.config.site.siteUrl).then((all) =>
        all.map((xml) => new Representation(XML, xml)),
      );
    this.sitemaps.set(snapshot, files);
    return files;
  }
}

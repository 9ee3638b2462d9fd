import { Readable } from 'node:stream';
import { SitemapStream, streamToPromise } from 'sitemap';
import type { Page } from '../negotiation/page.ts';

/** Renders all pages as XML for sitemaps.org. */
export async function sitemap(pages: Page[], siteUrl: string): Promise<Buffer> {
  const entries = pages.map(({ path, updatedAt }) => ({
    url: siteUrl + path,
    ...(updatedAt ? { lastmod: updatedAt.toISOString() } : {}),
  }));
  return streamToPromise(
    Readable.from(entries).pipe(
      new SitemapStream({
        hostname: siteUrl,
        xmlns: { news: false, xhtml: false, image: false, video: false },
      }),
    ),
  );
}

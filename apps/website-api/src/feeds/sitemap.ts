import { Readable, type Transform } from 'node:stream';
import { SitemapIndexStream, SitemapStream, streamToPromise } from 'sitemap';
import type { Page } from '../negotiation/page.ts';

/** Limits of a file (https://www.sitemaps.org/protocol.html). */
const MAX_URLS = 50_000;
const MAX_BYTES = 50 * 1024 * 1024;
/** Length of an entry without its URL, rounded up. */
const ENTRY_BYTES = 100;

/**
 * Renders all pages as XML for sitemaps.org: one file, or an index followed by its files `/sitemap-1.xml` and so on. Omits
 * posts whose canonical page is on another site.
 */
export async function sitemapFiles(pages: Page[], siteUrl: string): Promise<Buffer[]> {
  const files = await Promise.all(
    divide(pages.filter(({ canonicalUrl }) => canonicalUrl === undefined)).map((part) => {
      const entries = part.map(({ path, updatedAt }) => ({
        url: siteUrl + path,
        ...(updatedAt ? { lastmod: updatedAt.toISOString() } : {}),
      }));
      const xmlns = { news: false, xhtml: false, image: false, video: false };
      return render(entries, new SitemapStream({ hostname: siteUrl, xmlns }));
    }),
  );
  if (files.length === 1) return files;
  const urls = files.map((_file, index) => ({ url: `${siteUrl}/sitemap-${index + 1}.xml` }));
  return [await render(urls, new SitemapIndexStream()), ...files];
}

const render = (entries: object[], stream: Transform): Promise<Buffer> =>
  streamToPromise(Readable.from(entries).pipe(stream));

/** Divides pages into files within the limits. */
function divide(pages: Page[]): Page[][] {
  let bytes = Infinity;
  return pages.reduce<Page[][]>((parts, page) => {
    const last = parts.at(-1);
    const entryBytes = Buffer.byteLength(page.path) + ENTRY_BYTES;
    if (last && last.length < MAX_URLS && bytes + entryBytes <= MAX_BYTES) {
      last.push(page);
      bytes += entryBytes;
    } else {
      parts.push([page]);
      bytes = entryBytes;
    }
    return parts;
  }, []);
}

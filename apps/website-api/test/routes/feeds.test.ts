import { withClient } from '@gpu-observatory/embedded-database';
import { PIXEL_PNG, post } from '../support/content-folder.ts';
import { ownerUrl, useWebsite } from '../support/website.ts';

const site = useWebsite({
  'picture/index.md': post('A picture.', 'title: Picture\ndate: 2026-01-02\nimage: share.png'),
  'picture/share.png': PIXEL_PNG,
  'drawing/index.md': post('A drawing.', 'title: Drawing\ndate: 2026-01-01\nlang: de\nimage: rise.svg'),
  'drawing/rise.svg': '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>',
});

describe('GET /feed.xml', () => {
  it('returns 304 if the content has not changed since a time, unless the entity tag differs', async () => {
    const { status, headers } = await site.get('/feed.xml');
    const since = headers['last-modified'] ?? '';
    expect([status, since]).toEqual([200, expect.stringMatching(/^\w{3}, \d{2} \w{3} \d{4} [\d:]{8} GMT$/)]);
    const unchanged = await site.get('/feed.xml', { 'if-modified-since': since });
    expect([unchanged.status, unchanged.bytes.length]).toEqual([304, 0]);
    for (const other of [
      { 'if-modified-since': new Date(Date.parse(since) - 1_000).toUTCString() },
      { 'if-modified-since': 'yesterday' },
      { 'if-modified-since': since, 'if-none-match': '"other"' },
    ])
      expect((await site.get('/feed.xml', other)).status).toBe(200);
  });

  it('has the images of posts that feed readers show', async () => {
    const { text } = await site.get('/feed.xml');
    expect(text.match(/<enclosure [^>]*>/g)).toEqual([
      '<enclosure length="0" type="image/png" url="https://site.example/media/picture/share.png"/>',
    ]);
  });

  it('has the language of each post', async () => {
    const { text } = await site.get('/feed.xml');
    expect(text.match(/<dc:language>.*?<\/dc:language>/g)).toEqual([
      '<dc:language>en</dc:language>',
      '<dc:language>de</dc:language>',
    ]);
  });

  it.each(['/rss.xml', '/feed', '/atom.xml', '/index.xml'])('is the target of %s', async (path) => {
    const { status, headers } = await site.get(path);
    expect([status, headers.location]).toEqual([301, '/feed.xml']);
  });
});

describe('the image of a post', () => {
  it('is its link preview and in JSON; SVG, which previews do not show, is replaced by the image of the site', async () => {
    const preview = async (path: string) =>
      /<meta property="og:image" content="([^"]+)"/.exec((await site.get(path)).text)?.[1];
    expect(await preview('/blog/picture')).toBe('https://site.example/media/picture/share.png');
    expect(await preview('/blog/drawing')).toMatch(/^https:\/\/site\.example\/assets\/share-\w+\.png$/);
    const { post: drawing } = JSON.parse((await site.get('/api/posts/drawing')).text) as {
      post: { image: string | null };
    };
    expect(drawing.image).toBeNull();
  });
});

describe('files at fixed paths', () => {
  it('/robots.txt allows everything and names the sitemap', async () => {
    const { text, headers } = await site.get('/robots.txt');
    expect(text).toContain('User-agent: *\nAllow: /\n\nSitemap: https://site.example/sitemap.xml\n');
    expect(headers['content-security-policy']).toContain("connect-src 'self'");
  });

  it('/favicon.ico is an icon', async () => {
    const { status, headers, bytes } = await site.get('/favicon.ico');
    expect([status, headers['content-type']]).toEqual([200, 'image/x-icon']);
    expect(bytes.subarray(0, 4)).toEqual(Buffer.from([0, 0, 1, 0]));
  });

  it('/.well-known/security.txt has a contact and expires within a year', async () => {
    const { status, headers, text } = await site.get('/.well-known/security.txt');
    expect([status, headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8']);
    expect(text).toContain('Contact: mailto:hello@site.example\n');
    expect(text).toContain('Canonical: https://site.example/.well-known/security.txt\n');
    const days = (Date.parse(/^Expires: (.+)$/m.exec(text)?.[1] ?? '') - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(30);
    expect(days).toBeLessThan(365);
  });
});

describe('GET /sitemap.xml', () => {
  it('is an index of files with at most 50,000 URLs', async () => {
    const count = 50_000;
    await withClient(ownerUrl(site.database), async (client) => {
      await client.query(
        `INSERT INTO website.posts (slug, title, summary, author, language, published_at, updated_at, featured,
                                    reading_minutes, tag_slugs, former_paths, body, html)
         SELECT 'post-' || n, 'Post', '', 'Ada', 'en', '2025-01-01', '2025-01-01', false, 1, '{}', '{}', '', ''
           FROM generate_series(1, $1) AS n`,
        [count],
      );
      await client.query('UPDATE website.content_revision SET revision = revision + 1');
    });
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    const index = await site.get('/sitemap.xml');
    expect(index.text).toContain('<sitemapindex ');
    const files = [...index.text.matchAll(/<loc>https:\/\/site\.example([^<]+)<\/loc>/g)].map(
      ([, path]) => path!,
    );
    expect(files).toEqual(['/sitemap-1.xml', '/sitemap-2.xml']);
    const urls = await Promise.all(
      files.map(async (path) => (await site.get(path)).text.match(/<loc>/g)?.length ?? 0),
    );
    expect(urls[0]).toBe(50_000);
    // Two posts with an image, four fixed pages, and the further pages of the list.
    expect(urls[1]! + urls[0]!).toBe(count + 2 + 4 + Math.ceil((count + 2) / 20) - 1);
    expect((await site.get('/sitemap-3.xml')).status).toBe(404);
  });
});

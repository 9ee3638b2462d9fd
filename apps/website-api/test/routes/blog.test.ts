import { richContent } from '../support/rich-content.ts';
import { ADDRESSES, useWebsite } from '../support/website.ts';

const site = useWebsite(richContent);

const PAGES = [
  '/',
  '/blog',
  '/blog/everything',
  '/blog/second',
  '/blog/third',
  '/blog/category/engineering',
  '/blog/tag/fault-isolation',
  '/developers',
  '/contact',
];

describe.each(PAGES)('GET %s', (path) => {
  const twinPath = path === '/' ? '/index.md' : `${path}.md`;
  const canonical = path === '/blog/third' ? 'https://first.example/third' : path;

  it('is an HTML page that links its canonical URL, markdown twin, feed and index', async () => {
    const { status, headers, text } = await site.get(path);
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'public, max-age=60, stale-while-revalidate=600',
      vary: 'Accept, Accept-Encoding',
      etag: expect.stringMatching(/^"[\w-]{22}"$/),
      link: `<${twinPath}>; rel="alternate"; type="text/markdown", </llms.txt>; rel="describedby"; type="text/plain"`,
      'content-security-policy':
        "default-src 'none';style-src 'self';img-src 'self';base-uri 'none';form-action 'self';frame-ancestors 'none'",
    });
    expect(text).toContain(`<link rel="canonical" href="${new URL(canonical, ADDRESSES.SITE_URL).href}"/>`);
    expect(text).toContain(
      `<link rel="alternate" type="text/markdown" href="https://site.example${twinPath}"/>`,
    );
    expect(text).toContain('<link rel="alternate" type="application/rss+xml"');
    expect(text).toContain(`<meta property="og:url" content="https://site.example${path}"/>`);
    expect(text).toMatch(/<meta name="description" content="[^"]{5,}"\/>/);
    expect(text.match(/<h1[ >]/g)).toHaveLength(1);
    expect(text).not.toMatch(/<script(?! type="application\/ld\+json")|<style|\sstyle=|\son[a-z]+=/i);
    expect(text).not.toContain('site.invalid');
    const [, data = ''] = /<script type="application\/ld\+json">([^<]*)<\/script>/.exec(text) ?? [];
    const page = JSON.parse(data) as { '@context': string; '@graph'?: object[] };
    expect(page['@context']).toBe('https://schema.org');
    // The home page describes the site and the organization.
    expect(page['@graph']?.[0] ?? page).toMatchObject({ url: `https://site.example${path}` });
  });

  it('has a markdown twin with the bytes of the negotiated response', async () => {
    const twin = await site.get(twinPath, { accept: 'text/html' });
    const negotiated = await site.get(path, { accept: 'text/markdown' });
    expect(twin.bytes.equals(negotiated.bytes)).toBe(true);
    expect(twin.text).toMatch(/^# .+\n/);
    expect(twin.text).not.toContain('site.invalid');
    expect(twin.headers).toMatchObject({
      'content-type': 'text/markdown; charset=utf-8',
      'cache-control': 'public, max-age=60, stale-while-revalidate=600',
      vary: 'Accept, Accept-Encoding',
      etag: negotiated.headers.etag,
      link: `<${canonical}>; rel="canonical", </llms.txt>; rel="describedby"; type="text/plain"`,
    });
    expect(negotiated.headers).toMatchObject({
      'cache-control': 'private, max-age=60, stale-while-revalidate=600',
      link: twin.headers.link,
    });
  });

  it.each(['br', 'gzip'])('compresses with %s and supports conditional requests', async (coding) => {
    const compressed = await site.get(path, { 'accept-encoding': coding });
    expect(compressed.headers).toMatchObject({ 'content-encoding': coding, vary: 'Accept, Accept-Encoding' });
    const unchanged = await site.get(path, {
      'accept-encoding': coding,
      'if-none-match': compressed.headers.etag ?? '',
    });
    expect(unchanged.status).toBe(304);
    expect(unchanged.headers).toMatchObject({
      etag: compressed.headers.etag,
      vary: 'Accept, Accept-Encoding',
    });
    expect(unchanged.bytes).toHaveLength(0);
  });

  it('has no dead links in HTML and markdown', async () => {
    const html = await site.get(path);
    const markdown = await site.get(twinPath);
    const addresses = [
      ...[...html.text.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, address]) => address as string),
      ...[...markdown.text.matchAll(/\]\(([^)\s]+)/g)].map(([, address]) => address as string),
    ];
    const own = addresses
      .map((address) => new URL(address.replaceAll('&amp;', '&'), `${ADDRESSES.SITE_URL}${path}`))
      .filter(({ origin }) => origin === ADDRESSES.SITE_URL);
    expect(own.length).toBeGreaterThan(8);
    for (const target of new Set(own.map(({ pathname }) => pathname))) {
      expect([target, (await site.get(target)).status]).toEqual([target, 200]);
    }
    for (const { hash } of own.filter(({ pathname, hash: place }) => pathname === path && place !== '')) {
      expect(html.text).toContain(`id="${hash.slice(1)}"`);
    }
  });
});

describe('a post', () => {
  it('has metadata for search engines and link previews', async () => {
    const { text } = await site.get('/blog/everything');
    for (const tag of [
      '<title>XID errors: a gauge is not a count · GPU Observatory</title>',
      '<meta property="og:type" content="article"/>',
      '<meta property="og:image" content="https://site.example/media/posts/everything/rise.svg"/>',
      '<meta property="article:published_time" content="2026-10-01T00:00:00.000Z"/>',
      '<meta property="article:modified_time" content="2026-10-03T00:00:00.000Z"/>',
      '<meta property="article:tag" content="Fault isolation"/>',
    ]) {
      expect(text).toContain(tag);
    }
  });

  it('links its first publication on another site', async () => {
    expect((await site.get('/blog/third.md')).text).toContain(
      '- First published at: https://first.example/third\n',
    );
  });

  it('has a lang attribute', async () => {
    expect((await site.get('/blog/second')).text).toContain('<div class="prose" lang="de">');
  });
});

describe('GET /media/{path}', () => {
  it('serves images with cache headers and a policy that blocks scripts', async () => {
    const image = await site.get('/media/posts/everything/rise.svg');
    expect(image.status).toBe(200);
    expect(image.headers).toMatchObject({
      'content-type': 'image/svg+xml; charset=utf-8',
      'content-length': String(image.bytes.length),
      'cache-control': 'public, max-age=60, stale-while-revalidate=600',
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
    });
    const ifNoneMatch = { 'if-none-match': image.headers.etag ?? '' };
    expect((await site.get('/media/posts/everything/rise.svg', ifNoneMatch)).status).toBe(304);
  });

  it('serves attachments as downloads', async () => {
    const file = await site.get('/media/posts/everything/rules.yaml');
    expect(file.text).toBe('rules: []\n');
    expect(file.headers['content-disposition']).toBe("attachment; filename*=UTF-8''rules.yaml");
  });
});

describe('markup in front matter', () => {
  it('is escaped on every page', async () => {
    const markup = `</title><script>alert(1)</script>"'><img src=x onerror=alert(1)> ]]> ]]>`;
    await site.publish({
      ...richContent,
      'hostile.md': `---\ntitle: |\n  ${markup}\ndescription: |\n  ${markup}\nauthor: |\n  ${markup}\ncategory: "<b>x</b>"\ntags: ["</script><script>x"]\ndate: 2026-01-01\n---\n${'`]]>`'} and again ${'`]]>`'}\n`,
    });
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    for (const path of ['/blog/hostile', '/blog', '/blog/category/b-x-b', '/blog/tag/script-script-x']) {
      const { status, text } = await site.get(path);
      expect([path, status]).toEqual([path, 200]);
      expect(text.replace(/<script type="application\/ld\+json">[^<]*<\/script>/, '')).not.toMatch(
        /<script|<img src=x|<b>/,
      );
    }
  });
});

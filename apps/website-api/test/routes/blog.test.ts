import { post } from '../support/content-folder.ts';
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
        "default-src 'none';script-src 'self';style-src 'self';img-src 'self';connect-src 'self';base-uri 'none';form-action 'self';frame-ancestors 'none'",
    });
    expect(text).toContain(`<link rel="canonical" href="${new URL(canonical, ADDRESSES.SITE_URL).href}"/>`);
    expect(text).toContain(
      `<link rel="alternate" type="text/markdown" href="https://site.example${twinPath}"/>`,
    );
    expect(text).toContain('<link rel="alternate" type="application/rss+xml"');
    expect(text).toContain(`<meta property="og:url" content="https://site.example${path}"/>`);
    expect(text).toMatch(/<meta name="description" content="[^"]{5,}"\/>/);
    expect(text.match(/<h1[ >]/g)).toHaveLength(1);
    expect(text).not.toMatch(
      /<script(?! type="(?:application\/ld\+json"|module" src="\/assets\/))|<style|\sstyle=|\son[a-z]+=/i,
    );
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
      '<meta property="og:image" content="https://site.example/media/posts/pixel.png"/>',
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
    expect((await site.get('/blog/second')).text).toContain('<div class="prose" lang="de" dir="auto">');
  });
});

describe('a post in another spelling', () => {
  it.each([
    ['/blog/Everything', '/blog/everything'],
    ['/blog/EVERYTHING.md?utm_source=x', '/blog/everything.md?utm_source=x'],
    ['/blog/every_thing', undefined],
    ['/blog/Second/', '/blog/second'],
    ['/blog/tag/Fault%20isolation', '/blog/tag/fault-isolation'],
    ['/blog/tag/XID.md', '/blog/tag/xid.md'],
    ['/blog/category/Engineering', '/blog/category/engineering'],
    ['/blog/category/XID', undefined],
  ])('redirects %s to its slug', async (path, location) => {
    const { status, headers, bytes } = await site.get(path, { accept: 'text/markdown' });
    expect([status, headers.location]).toEqual(location === undefined ? [404, undefined] : [301, location]);
    expect(headers.vary).toBe('Accept, Accept-Encoding');
    if (location === undefined) return;
    expect(bytes).toHaveLength(0);
    expect(headers['cache-control']).toBe('public, max-age=60, stale-while-revalidate=600');
    expect((await site.get(location)).status).toBe(200);
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

describe('a blog of several pages', () => {
  const POSTS = 55;
  const months = (index: number) =>
    `${2026 - Math.floor(index / 12)}-${String(12 - (index % 12)).padStart(2, '0')}`;
  const files = Object.fromEntries(
    Array.from({ length: POSTS }, (_, index) => [
      `post-${index}.md`,
      `---\ntitle: Post ${index}\ndate: ${months(index + 4)}-01\ncategory: Notes\n` +
        `tags: [often${index < 23 ? ', half' : ''}, once-${index}]\n---\nText ${index}.\n`,
    ]),
  );
  const titles = (text: string) =>
    [...text.matchAll(/Post \d+(?=<\/a><\/h3>|\]\()/g)].map(([title]) => title);
  const expected = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, index) => `Post ${from + index}`);
  let pages: string[];

  beforeAll(async () => {
    await site.publish(files);
    while ((await site.get('/blog/post-1')).status !== 200) await new Promise((done) => setTimeout(done, 50));
    pages = ['/blog', '/blog/page/2', '/blog/page/3'];
  });

  afterAll(async () => {
    await site.publish(richContent);
    while ((await site.get('/blog/second')).status !== 200) await new Promise((done) => setTimeout(done, 50));
  });

  it('has 20 posts on each page, newest first, the same in HTML and markdown', async () => {
    for (const [index, path] of pages.entries()) {
      const shown = expected(index * 20, Math.min(POSTS, index * 20 + 20));
      const html = await site.get(path);
      const markdown = await site.get(`${path}.md`);
      const negotiated = await site.get(path, { accept: 'text/markdown' });
      expect(titles(html.text)).toEqual(shown);
      expect(titles(markdown.text)).toEqual(shown);
      expect(negotiated.bytes.equals(markdown.bytes)).toBe(true);
      expect(markdown.headers.link).toContain(`<${path}>; rel="canonical"`);
      expect(html.text).toContain(`<link rel="canonical" href="https://site.example${path}"/>`);
      expect(html.headers.link).toContain(`<${path}.md>; rel="alternate"; type="text/markdown"`);
    }
  });

  it('links the previous and the next page', async () => {
    for (const [index, path] of pages.entries()) {
      const html = await site.get(path);
      const markdown = await site.get(`${path}.md`);
      for (const [rel, label, target] of [
        ['prev', 'Newer posts', pages[index - 1]],
        ['next', 'Older posts', pages[index + 1]],
      ] as const) {
        expect(html.text.includes(`<link rel="${rel}" href="https://site.example${target}"/>`)).toBe(
          target !== undefined,
        );
        expect(html.text.includes(`<a rel="${rel}" href="${target}">${label}</a>`)).toBe(
          target !== undefined,
        );
        expect(html.text.match(new RegExp(`rel="${rel}"`, 'g')) ?? []).toHaveLength(target ? 2 : 0);
        expect(markdown.text.includes(`[${label}](https://site.example${target}.md)`)).toBe(
          target !== undefined,
        );
      }
      expect(markdown.text).toContain(`Page ${index + 1} of 3`);
    }
  });

  it('groups the posts by year', async () => {
    const { text } = await site.get('/blog');
    expect([...text.matchAll(/<h2 class="year">(\d+)<\/h2>/g)].map(([, year]) => year)).toEqual([
      '2026',
      '2025',
    ]);
    const markdown = await site.get('/blog/page/3.md');
    expect([...markdown.text.matchAll(/^## (.+)$/gm)].map(([, year]) => year)).toEqual(['2023', '2022']);
  });

  it('has pages of categories and tags', async () => {
    const category = await site.get('/blog/category/notes/page/3');
    expect(titles(category.text)).toEqual(expected(40, 55));
    expect(category.text).toContain('<a rel="prev" href="/blog/category/notes/page/2">');
    expect(category.text).not.toContain('<a href="/blog/category/notes">');
    expect(category.text).toContain('<a href="/blog" aria-current="true">Research</a>');
    const tag = await site.get('/blog/tag/half/page/2.md');
    expect(titles(tag.text)).toEqual(expected(20, 23));
    expect(tag.text).toMatch(/^# #half, page 2\n\n\[Index .+\n\nPage 2 of 2\.\n/);
  });

  it('shows tags with more posts first and the others in a disclosure', async () => {
    const { text } = await site.get('/blog');
    const [, shown = '', more = ''] =
      /<h2>Tags<\/h2><div>(.*?)<details><summary>55 more tags<\/summary>(.*?)<\/details>/s.exec(text) ?? [];
    expect(shown.replace(/<[^>]+>/g, '').trim()).toBe('often 55half 23');
    expect([...more.matchAll(/once-\d+(?=<\/a> 1)/g)]).toHaveLength(55);
    expect((await site.get('/blog/page/2')).text).not.toContain('<details>');
    expect((await site.get('/blog.md')).text).toContain(
      '## Tags\n\n- [often](https://site.example/blog/tag/often.md) (55)\n- [half](https://site.example/blog/tag/half.md) (23)\n- [once-0]',
    );
  });

  it('has the newest 50 posts in the feed, the newest 5 in llms.txt, and all posts in llms-full.txt', async () => {
    const feed = (await site.get('/feed.xml')).text;
    expect(
      [...feed.matchAll(/<title><!\[CDATA\[(Post \d+)\]\]><\/title>/g)].map(([, title]) => title),
    ).toEqual(expected(0, 50));
    const index = (await site.get('/llms.txt')).text;
    expect(titles(index)).toEqual(expected(0, 5));
    expect(index).toMatch(/\n- \[All posts\]\(https:\/\/site\.example\/blog\.md\): .+\n$/);
    const full = (await site.get('/llms-full.txt')).text;
    expect(new Set(full.match(/^Text \d+\.$/gm)).size).toBe(55);
  });

  it('lists every page in the sitemap and in llms-full.txt', async () => {
    const sitemap = (await site.get('/sitemap.xml')).text;
    const full = (await site.get('/llms-full.txt')).text;
    const listed = [...sitemap.matchAll(/<loc>https:\/\/site\.example(\/blog[^<]*\/page\/[^<]*)</g)].map(
      ([, path]) => path,
    );
    expect(listed).toEqual([
      '/blog/page/2',
      '/blog/page/3',
      '/blog/category/notes/page/2',
      '/blog/category/notes/page/3',
      '/blog/tag/half/page/2',
      '/blog/tag/often/page/2',
      '/blog/tag/often/page/3',
    ]);
    for (const path of listed) expect(full).toContain(`Source: https://site.example${path}\n`);
  });

  it.each(['/blog', '/blog/category/notes', '/blog/tag/often'])(
    'redirects page 1 of %s to the list',
    async (path) => {
      for (const suffix of ['', '.md']) {
        const { status, headers } = await site.get(`${path}/page/1${suffix}`);
        expect([status, headers.location]).toEqual([301, path + suffix]);
      }
    },
  );

  it.each([
    '0',
    '-1',
    '4',
    '99999999999999999999',
    '1e1',
    '02',
    '+2',
    '2.0',
    'abc',
    '２',
    'NaN',
    '0.md',
    '2.html',
  ])('answers page %s, which does not exist, with 404 and the site map', async (page) => {
    for (const list of ['/blog', '/blog/category/notes', '/blog/tag/often', '/blog/tag/unknown']) {
      const { status, headers, text } = await site.get(`${list}/page/${encodeURIComponent(page)}`);
      expect([list, status, headers['content-type']]).toEqual([list, 404, 'text/markdown; charset=utf-8']);
      expect(text).toMatch(/^# Not found\n/);
      expect(headers.vary).toBe('Accept, Accept-Encoding');
    }
  });
});

describe('a post in a language that is written from right to left', () => {
  it('has the direction of its text on its page and in lists', async () => {
    await site.publish({
      ...richContent,
      'rtl.md': post('مرحبا بالعالم.', 'title: عنوان\ndate: 2026-11-01\nlang: ar\nsummary: ملخص'),
    });
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    const page = (await site.get('/blog/rtl')).text;
    for (const element of ['<h1', '<p class="lead"', '<div class="prose"'])
      expect(page).toContain(`${element} lang="ar" dir="auto">`);
    const list = (await site.get('/blog')).text;
    expect(list).toContain('<h3 lang="ar" dir="auto">');
    expect(list).toContain('<p lang="ar" dir="auto">ملخص</p>');
    expect((await site.get('/')).text).toContain('<h3 dir="auto"><a href="/blog/rtl">');
    expect((await site.get('/blog/rtl.md')).text).toContain('\n- Language: ar\n');
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

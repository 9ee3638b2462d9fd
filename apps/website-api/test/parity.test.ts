import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { toString } from 'mdast-util-to-string';
import { parseAllDocuments } from 'yaml';
import { parseMarkdown } from '../src/content/markdown.ts';
import { send } from './support/http.ts';
import { COMMITTED_CONTENT, committedContent } from './support/committed-content.ts';
import { post } from './support/content-folder.ts';
import { richContent } from './support/rich-content.ts';
import { createWebsiteDatabase, runtimeUrl, startWebsite, useWebsite } from './support/website.ts';

interface Post {
  slug: string;
  title: string;
  summary: string;
  author: string;
  published_at: string;
  updated_at: string;
  url: string;
  canonical_url: string | null;
  body: string;
}

interface Item {
  title: string;
  link: string;
  guid: { '#text': string; '@isPermaLink': string };
  pubDate: string;
  description: string;
  'content:encoded': string;
  'dc:creator': string;
}

const site = useWebsite(async () => ({
  ...(await committedContent()),
  ...richContent,
  'ends.md': post('`a ]]> b ]]> c` & <b>d</b>', 'title: "Ends ]]> & <so> on"\ndate: 2026-01-01'),
  'marked.md': post(
    'Plain.',
    'title: "A *star* [x](http://y.example) <b> _u_ a_b &amp; `c` ~~d~~ #"\ndate: 2026-01-01\n' +
      'summary: "- 1. <i>one</i> [^1] **two** <!-- x --> C:\\\\d ![e](f.png)"\nauthor: "*Ada* [L](http://l.example)"',
  ),
  'later.md': post('Not yet published.', 'title: Not yet published\ndate: 2999-01-01'),
  'draft.md': post('Never published.', 'title: Never published\ndate: 2026-01-01\ndraft: true'),
}));
let posts: Post[];

beforeAll(async () => {
  const { posts: list } = JSON.parse(await text('/api/posts?limit=100')) as { posts: Post[] };
  posts = await Promise.all(
    list.map(async ({ slug }) => (JSON.parse(await text(`/api/posts/${slug}`)) as { post: Post }).post),
  );
});

async function text(path: string): Promise<string> {
  const response = await site.get(path);
  expect([path, response.status]).toEqual([path, 200]);
  return response.text;
}

async function xml(path: string): Promise<unknown> {
  const document = await text(path);
  expect(XMLValidator.validate(document)).toBe(true);
  return new XMLParser({ ignoreAttributes: false, attributeNamePrefix: '@' }).parse(document);
}

/** Returns the visible text of HTML. */
const visibleText = (html: string) =>
  html
    .replace(/<[^>]+>/g, ' ')
    .replace(/&#x26;|&amp;/g, '&')
    .replace(/&#x3C;|&lt;/g, '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replace(/\s+/g, ' ')
    .trim();

/** Returns the visible text of each markdown block. */
const visibleBlocks = (markdown: string) =>
  parseMarkdown(markdown).children.map((block) => toString(block, { includeHtml: false }));

const proseOf = (page: string) =>
  /<div class="prose"[^>]*>([\s\S]*?)<\/div>\s*(?:<p class="tags">|<\/div>\s*<\/article>)/.exec(page)?.[1] ??
  '';

describe('every post', () => {
  it('has the same content as HTML, markdown and JSON, in llms-full.txt and in the feed', async () => {
    const committed = readdirSync(join(COMMITTED_CONTENT, 'posts'));
    expect(committed.length).toBeGreaterThanOrEqual(8);
    expect(posts.map(({ slug }) => slug).sort()).toEqual(
      [...committed, 'everything', 'second', 'third', 'ends', 'marked'].sort(),
    );
    const times = posts.map(({ published_at: at }) => at);
    expect(times).toEqual(times.toSorted().reverse());
    const full = await text('/llms-full.txt');
    const index = visibleBlocks(await text('/llms.txt')).join('\n');
    for (const { title, published_at: publishedAt } of posts.slice(0, 5))
      expect(index).toContain(`${title}: ${publishedAt.slice(0, 10)}`);
    const blog = visibleBlocks(await text('/blog.md'));
    const { rss } = (await xml('/feed.xml')) as { rss: { channel: { item: Item[] } } };
    expect(rss.channel.item.map(({ link }) => link)).toEqual(posts.map(({ url }) => url));
    for (const { slug, title, summary, author, published_at: publishedAt, url, body } of posts) {
      const page = await text(`/blog/${slug}`);
      const markdown = await text(`/blog/${slug}.md`);
      const item = rss.channel.item.find(({ link }) => link === url) as Item;

      for (const value of [title, summary, author]) {
        expect(visibleText(page)).toContain(value);
      }
      const [heading, indexLink, quote, facts] = visibleBlocks(markdown);
      expect([heading, indexLink, quote]).toEqual([title, 'Index of this site for AI agents', summary]);
      expect(facts?.startsWith(`Author: ${author}Published: `)).toBe(true);
      expect(blog).toEqual(expect.arrayContaining([title, summary]));
      expect(blog.some((line) => line.includes(` · ${author} · `))).toBe(true);
      expect(markdown).toContain(`- Published: ${publishedAt.slice(0, 10)}\n`);
      expect(page).toContain(`<time datetime="${publishedAt.slice(0, 10)}">`);
      expect(markdown.endsWith(body)).toBe(true);
      expect(full).toContain(markdown.trimEnd());

      // The feed breaks up the sequence that would end a CDATA section.
      expect(item.title).toBe(title.replaceAll(']]>', ']] >'));
      expect(item.description).toBe(summary.replaceAll(']]>', ']] >'));
      expect(item['dc:creator']).toBe(author);
      expect(new Date(item.pubDate)).toEqual(new Date(publishedAt));
      expect(item.guid).toEqual({ '#text': url, '@isPermaLink': 'true' });
      expect(visibleText(item['content:encoded'])).toBe(visibleText(proseOf(page)));
      expect(item['content:encoded']).not.toMatch(/(?:href|src)="(?!https?:|mailto:)/);
      expect(visibleText(proseOf(page)).length).toBeGreaterThan(4);
    }
  });

  it('and every page is in the sitemap and llms-full.txt, and no other page', async () => {
    const { urlset } = (await xml('/sitemap.xml')) as {
      urlset: { url: { loc: string; lastmod?: string }[] };
    };
    const listed = urlset.url.map(({ loc }) => loc);
    const { categories } = JSON.parse(await text('/api/categories')) as { categories: { slug: string }[] };
    const { tags } = JSON.parse(await text('/api/tags')) as { tags: { slug: string }[] };
    const pages = [
      '/',
      '/developers',
      '/contact',
      '/blog',
      ...posts.map(({ slug }) => `/blog/${slug}`),
      ...categories.map(({ slug }) => `/blog/category/${slug}`),
      ...tags.map(({ slug }) => `/blog/tag/${slug}`),
    ].map((path) => `https://site.example${path}`);
    // The canonical page of this post is on another site.
    const elsewhere = posts
      .filter(({ canonical_url: canonical }) => canonical !== null)
      .map(({ url }) => url);
    expect(elsewhere).toEqual(['https://site.example/blog/third']);
    expect(listed).toEqual(pages.filter((url) => !elsewhere.includes(url)));
    expect(categories.map(({ slug }) => slug)).toEqual(['engineering', 'operations', 'security']);
    expect(tags.map(({ slug }) => slug)).toEqual(expect.arrayContaining(['dcgm', 'fault-isolation', 'xid']));
    const full = await text('/llms-full.txt');
    expect([...full.matchAll(/^Source: (\S+)$/gm)].map(([, url]) => url)).toEqual([
      'https://site.example/agents.md',
      ...pages,
    ]);
    for (const url of pages) {
      const { pathname } = new URL(url);
      const twin = await text(pathname === '/' ? '/index.md' : `${pathname}.md`);
      expect(full).toContain(twin.trimEnd());
    }
    for (const { url, updated_at: updatedAt } of posts) {
      if (elsewhere.includes(url)) continue;
      expect(urlset.url.find(({ loc }) => loc === url)?.lastmod).toBe(updatedAt);
    }
    for (const path of ['/blog', '/feed.xml', '/llms-full.txt', '/sitemap.xml', '/api/posts?limit=100']) {
      expect(await text(path)).not.toMatch(/Not yet published|Never published/);
    }
  });
});

describe('the code of every committed post', () => {
  it('parses, if it is YAML or JSON', async () => {
    let blocks = 0;
    for (const { slug, body } of posts.filter(({ slug }) =>
      existsSync(join(COMMITTED_CONTENT, 'posts', slug)),
    )) {
      for (const [, language, code = ''] of body.matchAll(/^```(ya?ml|json)\n(.*?)^```$/gms)) {
        const errors = parseAllDocuments(code).flatMap((document) => document.errors);
        expect([slug, language, errors]).toEqual([slug, language, []]);
        blocks += 1;
      }
    }
    expect(blocks).toBeGreaterThan(5);
  });
});

describe('the feed', () => {
  it('is RSS 2.0 with a self link', async () => {
    const response = await site.get('/feed.xml');
    expect(response.headers['content-type']).toBe('application/xml; charset=utf-8');
    const { rss } = (await xml('/feed.xml')) as {
      rss: Record<string, unknown> & { channel: Record<string, unknown> };
    };
    expect(rss['@version']).toBe('2.0');
    expect(rss['@xmlns:content']).toBe('http://purl.org/rss/1.0/modules/content/');
    expect(rss['@xmlns:dc']).toBe('http://purl.org/dc/elements/1.1/');
    expect(rss['@xmlns:atom']).toBe('http://www.w3.org/2005/Atom');
    expect(rss.channel).toMatchObject({
      title: 'GPU Observatory: Research',
      link: 'https://site.example/blog',
      language: 'en',
      description: expect.stringMatching(/./),
      // RFC 822 with a four-digit year, as RSS 2.0 recommends.
      lastBuildDate: expect.stringMatching(/^\w{3}, \d{2} \w{3} \d{4} \d{2}:\d{2}:\d{2} GMT$/),
      'atom:link': {
        '@href': 'https://site.example/feed.xml',
        '@rel': 'self',
        '@type': 'application/rss+xml',
      },
    });
  });
});

describe('an empty blog', () => {
  it('renders in every format', async () => {
    const empty = await createWebsiteDatabase();
    const site = await startWebsite(runtimeUrl(empty));
    try {
      for (const path of [
        '/',
        '/blog',
        '/blog.md',
        '/feed.xml',
        '/sitemap.xml',
        '/llms.txt',
        '/llms-full.txt',
        '/api/tags',
      ]) {
        expect([path, (await send(site.publicUrl, path)).status]).toEqual([path, 200]);
      }
      expect(JSON.parse((await send(site.publicUrl, '/api/posts')).text)).toMatchObject({
        posts: [],
        total: 0,
      });
      expect((await send(site.publicUrl, '/blog')).text).toContain('No posts have been published yet.');
    } finally {
      await site.close();
      await empty.drop();
    }
  });
});

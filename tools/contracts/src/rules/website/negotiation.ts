import { summaryOf } from '../../deployment/http-exchange.ts';
import { expectHeader, expectThat, expectType } from '../expectations.ts';
import { type Rule, rule } from '../rule.ts';
import type { Target } from '../target.ts';
import { expectVary, somePosts } from './requests.ts';

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
const PUBLIC = 'public, max-age=60, stale-while-revalidate=600';

/** Returns pages with the paths of their markdown twins. */
async function pagesOf(target: Target): Promise<[page: string, twin: string][]> {
  const [post] = await somePosts(target);
  return [
    ['/', '/index.md'],
    ['/blog', '/blog.md'],
    ['/developers', '/developers.md'],
    [`/blog/${post!.slug}`, `/blog/${post!.slug}.md`],
  ];
}

export const negotiation: Rule[] = [
  rule('markdown-negotiation', 'docs/website-api.md#negotiation', async (target) => {
    const pages = await pagesOf(target);
    for (const [page] of pages) {
      for (const accept of [
        'text/markdown',
        'text/markdown, text/html;q=0.5',
        'text/html;q=0.2, text/markdown;q=0.3',
      ])
        expectType(await target.get(page, { accept }), 'text/markdown');
      for (const accept of [
        BROWSER,
        '*/*',
        'text/html',
        'text/html, text/markdown;q=0.5',
        'text/markdown;q=0',
        'image/png',
      ])
        expectType(await target.get(page, { accept }), 'text/html');
    }
    return `${pages.length} pages by q-values, never 406`;
  }),
  rule('markdown-twin-is-identical', 'docs/website-api.md#markdown-twins', async (target) => {
    const pages = await pagesOf(target);
    for (const [page, twin] of pages) {
      const negotiated = await target.get(page, { accept: 'text/markdown' });
      const direct = await target.get(twin, { accept: BROWSER });
      expectType(direct, 'text/markdown');
      expectThat(negotiated.text === direct.text, `${page} as markdown differs from ${twin}`);
      expectHeader(direct, 'cache-control', PUBLIC);
      expectHeader(negotiated, 'cache-control', /^private\b/);
    }
    return `${pages.length} twins; private when negotiated, public at the twin's path`;
  }),
  rule('negotiated-responses-vary', 'docs/website-api.md#negotiation', async (target) => {
    const pages = [...(await pagesOf(target)).map(([page]) => page), '/no-such-page'];
    for (const page of pages) {
      for (const accept of [BROWSER, 'text/markdown']) {
        const response = await target.get(page, { accept });
        expectVary(response);
        const { etag } = response.headers;
        if (response.status === 404) continue;
        expectThat(etag !== undefined, `${summaryOf(response)} has no ETag`);
        const again = await target.get(page, { accept, 'if-none-match': etag });
        expectThat(again.status === 304, `${summaryOf(again)} for the current ETag`);
        expectVary(again);
      }
    }
    return `${pages.length} pages, as HTML, markdown, 304 and 404`;
  }),
  rule('unknown-path-returns-site-map', 'docs/website-api.md#not-found', async (target) => {
    for (const [method, path] of [
      ['GET', '/no-such-page'],
      ['GET', '/no/such/page.md'],
      ['GET', '/api/no-such-route'],
      ['GET', '/blog/no-such-post'],
      ['PUT', '/api/site'],
    ] as const) {
      for (const accept of [BROWSER, 'application/json']) {
        const response = await target.send(method, path, { headers: { accept } });
        expectType(response, 'text/markdown', 404);
        expectThat(
          /\]\(https?:\/\/\S+\)/.test(response.text) && response.text.length < 20_000,
          `${summaryOf(response)} is not a site map`,
        );
      }
    }
    return '404 with a short markdown site map';
  }),
  rule('content-caching', 'docs/website-api.md#caching', async (target) => {
    const paths = [...target.plainReads().map(({ path }) => path), '/', '/llms.txt', '/feed.xml'];
    for (const path of paths) {
      const response = await target.get(path, { accept: '*/*' });
      const { etag } = response.headers;
      expectHeader(response, 'cache-control', PUBLIC);
      // A weak ETag starts with W/.
      expectHeader(response, 'etag', /^"[^"]+"$/);
      const again = await target.get(path, { accept: '*/*', 'if-none-match': `"other", ${etag}` });
      expectThat(again.status === 304 && again.text === '', `${summaryOf(again)} for the current ETag`);
      const changed = await target.get(path, { accept: '*/*', 'if-none-match': '"other"' });
      expectThat(changed.status === 200, `${summaryOf(changed)} for another ETag`);
    }
    return `${paths.length} paths: ${PUBLIC}; 304`;
  }),
  rule('content-compression', 'docs/website-api.md#caching', async (target) => {
    const plain = await target.get('/llms-full.txt');
    expectHeader(plain, 'content-encoding', undefined);
    for (const encoding of ['br', 'gzip']) {
      const response = await target.get('/llms-full.txt', { 'accept-encoding': encoding });
      expectHeader(response, 'content-encoding', encoding);
      expectHeader(response, 'vary', /accept-encoding/i);
      expectThat(
        response.headers.etag !== plain.headers.etag,
        `${encoding} has the same ETag as the uncompressed response`,
      );
    }
    return 'br and gzip, each with its own ETag';
  }),
];

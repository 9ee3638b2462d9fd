import { type Answer, jsonOf, mediaTypeOf, nameOf } from '../../deployment/answer.ts';
import { expectSame, expectThat, type Rule } from '../rule.ts';
import type { Subject } from '../subject.ts';
import { expectVary, somePosts } from './website-words.ts';

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
const PUBLIC = 'public, max-age=60, stale-while-revalidate=600';

/** A page and its markdown twin (decisions, section 4, Markdown twins). */
async function pagesOf(subject: Subject): Promise<[page: string, twin: string][]> {
  const [post] = await somePosts(subject);
  return [
    ['/', '/index.md'],
    ['/blog', '/blog.md'],
    ['/developers', '/developers.md'],
    [`/blog/${post!.slug}`, `/blog/${post!.slug}.md`],
  ];
}

function expectType(answer: Answer, type: string): void {
  expectThat(answer.status === 200, nameOf(answer));
  expectThat(
    mediaTypeOf(answer) === type,
    `${nameOf(answer)} with Accept ${String(answer.request.headers.accept)} is ${mediaTypeOf(answer)}`,
  );
}

export const negotiation: Rule<Subject>[] = [
  {
    name: 'markdown-where-asked-for',
    source: 'contract 4.6; decisions 4, Negotiation',
    async hold(subject) {
      const pages = await pagesOf(subject);
      for (const [page] of pages) {
        for (const accept of [
          'text/markdown',
          'text/markdown, text/html;q=0.5',
          'text/html;q=0.2, text/markdown;q=0.3',
        ])
          expectType(await subject.get(page, { accept }), 'text/markdown');
        for (const accept of [
          BROWSER,
          '*/*',
          'text/html',
          'text/html, text/markdown;q=0.5',
          'text/markdown;q=0',
          'image/png',
        ])
          expectType(await subject.get(page, { accept }), 'text/html');
      }
      return `${pages.length} pages by q-values, never 406`;
    },
  },
  {
    name: 'markdown-twin-is-the-same-bytes',
    source: 'decisions 4, Markdown twins',
    async hold(subject) {
      const pages = await pagesOf(subject);
      for (const [page, twin] of pages) {
        const asked = await subject.get(page, { accept: 'text/markdown' });
        const own = await subject.get(twin, { accept: BROWSER });
        expectType(own, 'text/markdown');
        expectThat(asked.text === own.text, `${page} as markdown is not ${twin}`);
        expectSame(own.headers['cache-control'], PUBLIC, `Cache-Control of ${twin}`);
        expectThat(
          /^private\b/.test(asked.headers['cache-control'] ?? ''),
          `${page} as markdown is ${asked.headers['cache-control']}`,
        );
      }
      return `${pages.length} twins; negotiated private, by address public`;
    },
  },
  {
    name: 'negotiated-answers-vary',
    source: 'contract 4.6',
    async hold(subject) {
      const pages = [...(await pagesOf(subject)).map(([page]) => page), '/no-such-page'];
      for (const page of pages) {
        for (const accept of [BROWSER, 'text/markdown']) {
          const answer = await subject.get(page, { accept });
          expectVary(answer);
          const { etag } = answer.headers;
          if (etag === undefined) continue;
          const again = await subject.get(page, { accept, 'if-none-match': etag });
          if (answer.status === 200) expectThat(again.status === 304, `${nameOf(again)} for its own ETag`);
          expectVary(again);
        }
      }
      return `${pages.length} pages, as HTML, markdown, 304 and 404`;
    },
  },
  {
    name: 'unknown-path-is-a-site-map',
    source: 'contract 4.6; decisions 1',
    async hold(subject) {
      for (const [method, path] of [
        ['GET', '/no-such-page'],
        ['GET', '/no/such/page.md'],
        ['GET', '/api/no-such-route'],
        ['GET', '/blog/no-such-post'],
        ['PUT', '/api/site'],
      ] as const) {
        for (const accept of [BROWSER, 'application/json']) {
          const answer = await subject.send(method, path, { headers: { accept } });
          expectThat(answer.status === 404, nameOf(answer));
          expectThat(mediaTypeOf(answer) === 'text/markdown', `${nameOf(answer)} is ${mediaTypeOf(answer)}`);
          expectThat(
            /\]\(https?:\/\/\S+\)/.test(answer.text) && answer.text.length < 20_000,
            `${nameOf(answer)} maps nothing`,
          );
        }
      }
      return '404 with a short markdown site map';
    },
  },
  {
    name: 'content-is-cached-and-revalidated',
    source: 'decisions 4, Caching',
    async hold(subject) {
      const paths = [...subject.plainReads().map(({ path }) => path), '/', '/llms.txt', '/feed.xml'];
      for (const path of paths) {
        const answer = await subject.get(path, { accept: '*/*' });
        const { etag, 'cache-control': cacheControl } = answer.headers;
        expectSame(cacheControl, PUBLIC, `Cache-Control of ${path}`);
        expectThat(/^"[^"]+"$/.test(etag ?? ''), `${path} has the ETag ${etag}, where a strong one is due`);
        const again = await subject.get(path, { accept: '*/*', 'if-none-match': `"other", ${etag}` });
        expectThat(again.status === 304 && again.text === '', `${nameOf(again)} for its own ETag`);
        const changed = await subject.get(path, { accept: '*/*', 'if-none-match': '"other"' });
        expectThat(changed.status === 200, `${nameOf(changed)} for another ETag`);
      }
      return `${paths.length} paths: ${PUBLIC}; 304`;
    },
  },
  {
    name: 'content-is-compressed',
    source: 'decisions 4, Caching',
    async hold(subject) {
      const plain = await subject.get('/llms-full.txt');
      for (const encoding of ['br', 'gzip']) {
        const answer = await subject.get('/llms-full.txt', { 'accept-encoding': encoding });
        expectSame(answer.headers['content-encoding'], encoding, 'Content-Encoding');
        expectThat(
          answer.headers.etag !== plain.headers.etag,
          `${encoding} has the ETag of the plain variant`,
        );
        expectThat(
          /accept-encoding/i.test(answer.headers.vary ?? ''),
          `${encoding} lacks Vary: Accept-Encoding`,
        );
      }
      expectThat(jsonOf(plain) === undefined, 'llms-full.txt is JSON');
      return 'br and gzip, an ETag each';
    },
  },
];

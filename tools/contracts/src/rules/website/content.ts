import { mediaTypeOf, nameOf } from '../../deployment/answer.ts';
import { expectSame, expectThat, NotSeen, type Rule } from '../rule.ts';
import type { Subject } from '../subject.ts';
import { expectProblem, type Post, type PostList, readOk, somePosts } from './website-words.ts';

interface Term {
  slug: string;
  post_count: number;
}

/** Contract, section 1. */
const RESOURCES: Record<string, string> = {
  '/agents.md': 'text/markdown',
  '/llms.txt': 'text/plain',
  '/llms-full.txt': 'text/plain',
  '/openapi.json': 'application/json',
  '/developers': 'text/html',
  '/sitemap.xml': 'application/xml',
  '/feed.xml': 'application/xml',
};

export const content: Rule<Subject>[] = [
  {
    name: 'resources-published',
    source: 'contract 1',
    async hold(subject) {
      for (const [path, type] of Object.entries(RESOURCES)) {
        const answer = await subject.get(path, { accept: '*/*' });
        expectThat(
          answer.status === 200 && mediaTypeOf(answer) === type,
          `${nameOf(answer)} is ${mediaTypeOf(answer)}`,
        );
        expectThat(answer.text.length > 0, `${path} is empty`);
      }
      return `${Object.keys(RESOURCES).length} resources with their types`;
    },
  },
  {
    name: 'feed-sitemap-and-llms-name-every-post',
    source: 'contract 1; decisions 4, One source',
    async hold(subject) {
      const posts = await somePosts(subject);
      const [feed, sitemap, full] = await Promise.all(
        ['/feed.xml', '/sitemap.xml', '/llms-full.txt'].map(async (path) => (await subject.get(path)).text),
      );
      expectThat(/<rss[^>]+version="2\.0"/.test(feed!), 'the feed is no RSS 2.0');
      for (const { slug } of posts) {
        for (const [name, text] of Object.entries({ feed, sitemap, 'llms-full.txt': full }))
          expectThat(text!.includes(`/blog/${slug}`), `${name} does not name /blog/${slug}`);
      }
      return `${posts.length} posts`;
    },
  },
  {
    name: 'posts-newest-first-without-body',
    source: 'contract 4.6',
    async hold(subject) {
      const posts = await somePosts(subject);
      const times = posts.map(({ published_at }) => published_at);
      expectSame(times, [...times].sort().reverse(), 'published_at');
      for (const post of posts) {
        expectThat(!('body' in post), `${post.slug} has its body in the list`);
        expectThat(Date.parse(post.published_at) <= Date.now() + 60_000, `${post.slug} is of the future`);
      }
      return `${posts.length} posts`;
    },
  },
  {
    name: 'single-post-has-its-body',
    source: 'contract 4.6',
    async hold(subject) {
      const [listed] = await somePosts(subject);
      const { post } = await readOk<{ post: Post }>(subject, `/api/posts/${listed!.slug}`);
      const { body, ...rest } = post;
      expectSame(rest, listed, 'the post without its body against the list');
      expectThat(typeof body === 'string' && body.length > 0, 'it has no body');
      return `${listed!.slug}, ${body.length} characters of markdown`;
    },
  },
  {
    name: 'posts-paged',
    source: 'contract 4.6; decisions 4, Shapes',
    async hold(subject) {
      const all = await somePosts(subject);
      const first = await readOk<PostList>(subject, '/api/posts');
      expectSame([first.limit, first.offset], [20, 0], 'limit and offset by default');
      const size = Math.max(1, Math.ceil(first.total / 5));
      const slugs: string[] = [];
      for (let offset = 0; offset < Math.min(first.total, 100); offset += size) {
        const page = await readOk<PostList>(subject, `/api/posts?limit=${size}&offset=${offset}`);
        expectSame(
          [page.limit, page.offset, page.total],
          [size, offset, first.total],
          'limit, offset and total',
        );
        slugs.push(...page.posts.map(({ slug }) => slug));
      }
      expectSame(
        slugs.slice(0, all.length),
        all.map(({ slug }) => slug),
        'slugs page by page',
      );
      const past = await readOk<PostList>(subject, `/api/posts?offset=${first.total}`);
      expectSame(past.posts.length, 0, 'posts past the last');
      return `${first.total} posts in pages of ${size}`;
    },
  },
  {
    name: 'posts-filtered',
    source: 'contract 4.6',
    async hold(subject) {
      const { categories } = await readOk<{ categories: Term[] }>(subject, '/api/categories');
      const { tags } = await readOk<{ tags: Term[] }>(subject, '/api/tags');
      const tests: [string, number | undefined, (post: Post) => boolean][] = [
        ...categories.map(({ slug, post_count }): [string, number, (post: Post) => boolean] => [
          `category=${slug}`,
          post_count,
          ({ category }) => category === slug,
        ]),
        ...tags.map(({ slug, post_count }): [string, number, (post: Post) => boolean] => [
          `tag=${slug}`,
          post_count,
          (post) => post.tags.includes(slug),
        ]),
        ['featured=true', undefined, ({ featured }) => featured],
        ['featured=false', undefined, ({ featured }) => !featured],
      ];
      for (const [parameter, count, isDue] of tests) {
        const { posts, total } = await readOk<PostList>(subject, `/api/posts?limit=100&${parameter}`);
        expectThat(posts.every(isDue), `${parameter} lists ${posts.find((post) => !isDue(post))?.slug}`);
        if (count !== undefined) expectSame(total, count, `total of ${parameter} against post_count`);
      }
      if (tests.length === 2) throw new NotSeen('no category and no tag');
      return `${categories.length} categories and ${tags.length} tags with their counts`;
    },
  },
  {
    name: 'bad-content-requests-refused',
    source: 'decisions 4, Shapes, Errors',
    async hold(subject) {
      for (const path of [
        '/api/site',
        '/api/posts',
        '/api/categories',
        '/api/tags',
        '/api/posts/no-such-post',
      ]) {
        const answer = await subject.get(`${path}?no_such_parameter=1`);
        expectProblem(answer, 400, 'an unknown parameter');
        expectThat(answer.text.includes('no_such_parameter'), `${nameOf(answer)} does not name it`);
      }
      for (const parameters of [
        'limit=0',
        'limit=101',
        'limit=x',
        'offset=-1',
        'offset=1.5',
        'featured=yes',
        'limit=1&limit=2',
        'category=',
        'tag[]=x',
      ])
        expectProblem(await subject.get(`/api/posts?${parameters}`), 400, parameters);
      expectProblem(await subject.get('/api/posts/no-such-post'), 404, 'an absent slug');
      return '400 and 404 as problem+json';
    },
  },
  {
    name: 'content-open-to-any-origin',
    source: 'contract 4.6; decisions 1, Browser clients',
    async hold(subject) {
      const reads = subject.plainReads();
      for (const { path } of reads) {
        const answer = await subject.get(path, { origin: 'https://elsewhere.invalid' });
        expectSame(
          answer.headers['access-control-allow-origin'],
          '*',
          `Access-Control-Allow-Origin of ${path}`,
        );
        expectSame(answer.headers['access-control-allow-credentials'], undefined, `credentials of ${path}`);
      }
      return `* on ${reads.length} routes, without credentials`;
    },
  },
];

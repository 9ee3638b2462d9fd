import { summaryOf } from '../../deployment/http-exchange.ts';
import { Skipped, expectHeader, expectSame, expectThat, expectType } from '../expectations.ts';
import { type Rule, rule } from '../rule.ts';
import { expectProblem, type Post, type PostList, readOk, type Schemas, somePosts } from './requests.ts';

type Filter = [parameter: string, count: number | undefined, isMatch: (post: Post) => boolean];

/** Number of posts in the feed, the newest. */
const FEED_POSTS = 50;

/** Media type of each published file. */
const RESOURCES: Record<string, string> = {
  '/agents.md': 'text/markdown',
  '/llms.txt': 'text/plain',
  '/llms-full.txt': 'text/plain',
  '/openapi.json': 'application/json',
  '/developers': 'text/html',
  '/sitemap.xml': 'application/xml',
  '/feed.xml': 'application/xml',
};

export const content: Rule[] = [
  rule('resources-published', 'docs/website-api.md#content', async (target) => {
    for (const [path, type] of Object.entries(RESOURCES)) {
      const response = await target.get(path, { accept: '*/*' });
      expectType(response, type);
      expectThat(response.text.length > 0, `${path} is empty`);
    }
    return `${Object.keys(RESOURCES).length} resources with their types`;
  }),
  rule('feed-sitemap-and-llms-list-every-post', 'docs/website-api.md#content', async (target) => {
    const posts = await somePosts(target);
    const [feed, sitemap, full] = await Promise.all(
      ['/feed.xml', '/sitemap.xml', '/llms-full.txt'].map(async (path) => (await target.get(path)).text),
    );
    expectThat(/<rss[^>]+version="2\.0"/.test(feed!), 'the feed is not RSS 2.0');
    for (const [index, { slug }] of posts.entries()) {
      const pages = { ...(index < FEED_POSTS && { feed }), sitemap, 'llms-full.txt': full };
      // The slug of another post can start with this one.
      const link = new RegExp(`/blog/${slug}(?![\\w-])`);
      for (const [name, text] of Object.entries(pages))
        expectThat(link.test(text!), `${name} does not list /blog/${slug}`);
    }
    return `${posts.length} posts`;
  }),
  rule('posts-newest-first-without-body', 'docs/website-api.md#posts', async (target) => {
    const posts = await somePosts(target, 2);
    const times = posts.map(({ published_at }) => published_at);
    expectSame(times, [...times].sort().reverse(), 'published_at');
    for (const post of posts) {
      expectThat(!('body' in post), `${post.slug} has its body in the list`);
      expectThat(Date.parse(post.published_at) <= Date.now() + 60_000, `${post.slug} is in the future`);
    }
    return `${posts.length} posts`;
  }),
  rule('single-post-has-body', 'docs/website-api.md#posts', async (target) => {
    const [listed] = await somePosts(target);
    const { post } = await readOk<Schemas['SinglePost']>(target, `/api/posts/${listed!.slug}`);
    const { body, ...rest } = post;
    expectSame(rest, listed, 'the post without its body compared with the list');
    expectThat(typeof body === 'string' && body.length > 0, 'the post has no body');
    return `${listed!.slug}, ${body.length} characters of markdown`;
  }),
  rule('posts-pagination', 'docs/website-api.md#posts', async (target) => {
    const all = await somePosts(target);
    const first = await readOk<PostList>(target, '/api/posts');
    expectSame([first.limit, first.offset], [20, 0], 'limit and offset by default');
    const size = Math.max(1, Math.ceil(first.total / 5));
    const slugs: string[] = [];
    for (let offset = 0; offset < Math.min(first.total, 100); offset += size) {
      const page = await readOk<PostList>(target, `/api/posts?limit=${size}&offset=${offset}`);
      expectSame(
        [page.limit, page.offset, page.total],
        [size, offset, first.total],
        'limit, offset and total',
      );
      expectSame(page.posts.length, Math.min(size, first.total - offset), `posts at offset ${offset}`);
      slugs.push(...page.posts.map(({ slug }) => slug));
    }
    expectSame(
      slugs.slice(0, all.length),
      all.map(({ slug }) => slug),
      'slugs across pages',
    );
    const past = await readOk<PostList>(target, `/api/posts?offset=${first.total}`);
    expectSame(past.posts.length, 0, 'posts after the last');
    return `${first.total} posts in pages of ${size}`;
  }),
  rule('posts-filters', 'docs/website-api.md#categories-and-tags', async (target) => {
    const { categories } = await readOk<Schemas['CategoryList']>(target, '/api/categories');
    const all = await readOk<PostList>(target, '/api/posts?limit=100');
    const { tags } = await readOk<Schemas['TagList']>(target, '/api/tags');
    const filters: Filter[] = [
      ...categories.map(({ slug, post_count }): Filter => [
        `category=${slug}`,
        post_count,
        ({ category }) => category === slug,
      ]),
      ...tags.map(({ slug, post_count }): Filter => [
        `tag=${slug}`,
        post_count,
        (post) => post.tags.includes(slug),
      ]),
      ['featured=true', undefined, ({ featured }) => featured],
      ['featured=false', undefined, ({ featured }) => !featured],
    ];
    for (const [parameter, count, isMatch] of filters) {
      const { posts, total } = await readOk<PostList>(target, `/api/posts?limit=100&${parameter}`);
      expectThat(posts.every(isMatch), `${parameter} lists ${posts.find((post) => !isMatch(post))?.slug}`);
      if (count !== undefined) expectSame(total, count, `total of ${parameter} compared with post_count`);
      expectSame(posts.length, Math.min(total, 100), `posts of ${parameter} compared with total`);
      const missing = all.posts.filter(isMatch).find(({ slug }) => !posts.some((post) => post.slug === slug));
      expectThat(!missing, `${parameter} does not list ${missing?.slug}`);
    }
    if (filters.length === 2) throw new Skipped('no category and no tag');
    return `${categories.length} categories and ${tags.length} tags with their counts`;
  }),
  rule('invalid-content-requests-rejected', 'docs/website-api.md#errors', async (target) => {
    for (const path of [
      '/api/site',
      '/api/posts',
      '/api/categories',
      '/api/tags',
      '/api/posts/no-such-post',
    ]) {
      const response = await target.get(`${path}?no_such_parameter=1`);
      expectProblem(response, 400, 'an unknown parameter');
      expectThat(
        response.text.includes('no_such_parameter'),
        `${summaryOf(response)} does not name the parameter`,
      );
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
      expectProblem(await target.get(`/api/posts?${parameters}`), 400, parameters);
    expectProblem(await target.get('/api/posts/no-such-post'), 404, 'an unknown slug');
    return '400 and 404 as problem+json';
  }),
  rule('content-allows-any-origin', 'docs/services.md#browser-clients', async (target) => {
    const reads = target.plainReads();
    for (const { path } of reads) {
      const response = await target.get(path, { origin: 'https://elsewhere.invalid' });
      expectHeader(response, 'access-control-allow-origin', '*');
      expectHeader(response, 'access-control-allow-credentials', undefined);
    }
    return `* on ${reads.length} routes, without credentials`;
  }),
];

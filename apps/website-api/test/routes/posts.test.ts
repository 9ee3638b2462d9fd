import { post } from '../support/content-folder.ts';
import { useWebsite } from '../support/website.ts';

const files = {
  'one.md': post(
    'The *first*.',
    'title: One\ndate: 2026-01-01\ncategory: Field notes\ntags: [eBPF, gpu]\nfeatured: true',
  ),
  'two.md': post(
    'Two.',
    'title: Two\ndate: 2026-01-02\nlastmod: 2026-01-05\ntags: [gpu]\nauthor: Ada\ndescription: Second',
  ),
  'three.md': post('Three.', 'title: Three\ndate: 2026-01-02T10:00:00+02:00\ncategory: Field notes'),
  'later.md': post('Later.', 'title: Later\ndate: 2999-01-01\ncategory: Future\ntags: [gpu, future]'),
  'draft.md': post('Draft.', 'title: Draft\ndate: 2026-01-01\ndraft: true\ntags: [secret]'),
};

const one = {
  slug: 'one',
  title: 'One',
  summary: 'The first.',
  lang: 'en',
  author: 'GPU Observatory',
  published_at: '2026-01-01T00:00:00.000Z',
  updated_at: '2026-01-01T00:00:00.000Z',
  category: 'field-notes',
  tags: ['ebpf', 'gpu'],
  featured: true,
  reading_minutes: 1,
  url: 'https://site.example/blog/one',
  canonical_url: null,
  image: null,
};
const two = {
  slug: 'two',
  title: 'Two',
  summary: 'Second',
  lang: 'en',
  author: 'Ada',
  published_at: '2026-01-02T00:00:00.000Z',
  updated_at: '2026-01-05T00:00:00.000Z',
  category: null,
  tags: ['gpu'],
  featured: false,
  reading_minutes: 1,
  url: 'https://site.example/blog/two',
  canonical_url: null,
  image: null,
};
const three = {
  ...two,
  slug: 'three',
  title: 'Three',
  summary: 'Three.',
  author: 'GPU Observatory',
  published_at: '2026-01-02T08:00:00.000Z',
  updated_at: '2026-01-02T08:00:00.000Z',
  category: 'field-notes',
  tags: [],
  url: 'https://site.example/blog/three',
};

const site = useWebsite(files);

async function get(path: string) {
  const { status, headers, text } = await site.get(path);
  return { status, headers, body: JSON.parse(text) as Record<string, unknown> };
}

describe('GET /api/posts', () => {
  it('lists published posts, newest first, without their bodies', async () => {
    const { status, headers, body } = await get('/api/posts');
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'public, max-age=60, stale-while-revalidate=600',
      'access-control-allow-origin': '*',
      etag: expect.stringMatching(/^"/),
    });
    expect(body).toEqual({ posts: [three, two, one], total: 3, limit: 20, offset: 0 });
    expect((await get('/api/posts/')).body).toEqual(body);
  });

  it.each([
    ['category=field-notes', ['three', 'one'], 2],
    ['tag=gpu', ['two', 'one'], 2],
    ['tag=gpu&category=field-notes', ['one'], 1],
    ['featured=true', ['one'], 1],
    ['featured=false', ['three', 'two'], 2],
    ['limit=1', ['three'], 3],
    ['limit=1&offset=1', ['two'], 3],
    ['limit=100&offset=3', [], 3],
    ['offset=2147483648', [], 3],
    ['offset=999999999999999', [], 3],
    ['tag=GPU', ['two', 'one'], 2],
    ['category=Field%20notes', ['three', 'one'], 2],
    ['tag=ebpf&category=field-notes&featured=false', [], 0],
  ])('%s returns %j of %i', async (query, slugs, total) => {
    const { status, body } = await get(`/api/posts?${query}`);
    expect(status).toBe(200);
    expect((body['posts'] as { slug: string }[]).map(({ slug }) => slug)).toEqual(slugs);
    expect(body['total']).toBe(total);
  });

  it.each([
    ['limit=0', '"limit" must be an integer from 1 to 100'],
    ['limit=101', '"limit"'],
    ['limit=1.5', '"limit"'],
    ['limit=', '"limit"'],
    ['limit=1&limit=2', '"limit"'],
    ['offset=-1', '"offset" must be an integer from 0 to 999999999999999'],
    ['offset=1000000000000000', '"offset"'],
    [
      'category=nothing',
      'No published post has the category "nothing". GET /api/categories lists the accepted slugs.',
    ],
    ['tag=secret', 'No published post has the tag "secret". GET /api/tags lists the accepted slugs.'],
    ['category=future', 'No published post has the category "future".'],
    ['tag=%27%20OR%201%3D1--', 'No published post has the tag'],
    ['tag=__proto__', 'No published post has the tag'],
    ['offset=', '"offset"'],
    ['featured=yes', '"featured" must be true or false'],
    ['featured=', '"featured"'],
    ['category=', '"category" must be one'],
    ['tag=a&tag=b', '"tag" must be one'],
    ['tag[x]=a', '"tag[x]" is not accepted.'],
    ['sort=title', '"sort" is not accepted.'],
  ])('rejects %s', async (query, detail) => {
    const { status, headers, body } = await get(`/api/posts?${query}`);
    expect(status).toBe(400);
    expect(headers['content-type']).toBe('application/problem+json; charset=utf-8');
    expect(body).toMatchObject({ type: 'about:blank', title: 'Bad Request', status: 400 });
    expect(body['detail']).toContain(detail);
  });
});

describe('GET /api/posts/{slug}', () => {
  it('returns one post with its body', async () => {
    const { status, body } = await get('/api/posts/one');
    expect(status).toBe(200);
    expect(body).toEqual({ post: { ...one, body: 'The *first*.\n' } });
  });

  it.each(['nothing', 'later', 'draft', 'ONE', '__proto__', 'constructor', '%27', 'x'.repeat(3_000)])(
    'returns 404 for %s',
    async (slug) => {
      const { status, headers, body } = await get(`/api/posts/${slug}`);
      expect(status).toBe(404);
      expect(headers['content-type']).toBe('application/problem+json; charset=utf-8');
      expect(body).toEqual({
        type: 'about:blank',
        title: 'Not Found',
        status: 404,
        detail: 'No published post has this slug. GET /api/posts lists the published posts.',
      });
    },
  );

  it('accepts no parameters', async () => {
    expect((await get('/api/posts/one?fields=body')).status).toBe(400);
  });
});

describe('GET /api/categories and /api/tags', () => {
  it('count published posts and omit terms without any', async () => {
    expect((await get('/api/categories')).body).toEqual({
      categories: [{ slug: 'field-notes', name: 'Field notes', post_count: 2 }],
    });
    expect((await get('/api/tags')).body).toEqual({
      tags: [
        { slug: 'ebpf', name: 'eBPF', post_count: 1 },
        { slug: 'gpu', name: 'gpu', post_count: 2 },
      ],
    });
  });

  it.each(['/api/categories?x=1', '/api/tags?limit=1'])('reject %s', async (path) => {
    expect((await get(path)).status).toBe(400);
  });
});

describe('published content', () => {
  it('changes without a restart after a sync and at the publication time of a post', async () => {
    const titles = async () =>
      ((await get('/api/posts')).body['posts'] as { title: string }[]).map(({ title }) => title);
    const until = async (wanted: string[]) => {
      while (JSON.stringify(await titles()) !== JSON.stringify(wanted)) {
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    };
    const one = { 'one.md': files['one.md'].replace('title: One', 'title: Uno') };
    const publishSoon = (inMs: number) => {
      const soon = new Date(Date.now() + inMs).toISOString();
      return site.publish({ ...one, 'soon.md': post('Soon.', `title: Soon\ndate: ${soon}`) });
    };
    await publishSoon(3_600_000);
    await until(['Uno']);
    expect((await get('/api/posts/soon')).status).toBe(404);
    // The post becomes public after the sync, by its publication time.
    await publishSoon(2_000);
    await until(['Soon', 'Uno']);
    expect((await get('/api/posts/soon')).status).toBe(200);
  });
});

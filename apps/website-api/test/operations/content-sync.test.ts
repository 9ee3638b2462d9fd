import { query, type TestDatabase } from '@gpu-observatory/embedded-database';
import { OperationError } from '@gpu-observatory/service-runtime';
import pg from 'pg';
import { syncContent } from '../../src/content/content.command.ts';
import { contentFolder, PIXEL_PNG, post } from '../support/content-folder.ts';
import { createWebsiteDatabase, ownerUrl, runtimeUrl } from '../support/website.ts';

let database: TestDatabase;
let owner: pg.Client;

beforeAll(async () => {
  database = await createWebsiteDatabase();
  process.env['OWNER_DATABASE_URL'] = ownerUrl(database);
  process.env['LOG_LEVEL'] = 'silent';
  owner = new pg.Client({ connectionString: ownerUrl(database) });
  await owner.connect();
});

afterAll(async () => {
  await owner.end();
  await database.drop();
});

const files = {
  'one.md': post('![p](p.png)', 'title: One\ndate: 2026-01-01\ncategory: Kernel\ntags: [ebpf, gpu]'),
  'two.md': post('Two.', 'title: Two\ndate: 2026-01-02\ntags: [gpu]'),
  'later.md': post('Later.', 'title: Later\ndate: 2999-01-01'),
  'draft.md': post('Secret.', 'title: Draft\ndate: 2026-01-01\ndraft: true'),
  'p.png': PIXEL_PNG,
};

async function sync(content: Record<string, string | Buffer>, options = {}) {
  await using folder = await contentFolder(content);
  return await syncContent(folder.path, options);
}

async function stored() {
  const { rows } = await owner.query<{ stored: unknown }>(`
    SELECT jsonb_build_object(
      'revision', (SELECT revision FROM website.content_revision),
      'posts', (SELECT jsonb_object_agg(slug, title) FROM website.posts),
      'categories', (SELECT jsonb_object_agg(slug, name) FROM website.categories),
      'tags', (SELECT jsonb_object_agg(slug, name) FROM website.tags),
      'post_tags', (SELECT jsonb_agg(tag_slug ORDER BY post_slug, position) FROM website.post_tags),
      'media', (SELECT jsonb_agg(path) FROM website.media)) AS stored`);
  return rows[0]?.stored;
}

describe('content sync', () => {
  it('publishes the content of a folder, and changes nothing when repeated', async () => {
    const first = await sync(files);
    expect(first).toMatchObject({
      posts: { published: 2, scheduled: 1, drafts: 1 },
      stored: { posts: { written: 3, removed: 0, unchanged: 0 }, media: { written: 1 } },
      warnings: [],
    });
    const content = await stored();
    expect(content).toEqual({
      revision: 1,
      posts: { one: 'One', two: 'Two', later: 'Later' },
      categories: { kernel: 'Kernel' },
      tags: { ebpf: 'ebpf', gpu: 'gpu' },
      post_tags: ['ebpf', 'gpu', 'gpu'],
      media: ['p.png'],
    });
    expect(await sync(files)).toMatchObject({
      stored: { posts: { written: 0, removed: 0, unchanged: 3 }, media: { written: 0, unchanged: 1 } },
    });
    expect(await stored()).toEqual(content);
  });

  it('writes changed posts and deletes removed posts and unused terms', async () => {
    await sync(files);
    const changed = {
      'two.md': files['two.md'].replace('title: Two', 'title: Zwei').replace('[gpu]', '[GPU]'),
    };
    expect(await sync(changed)).toMatchObject({
      stored: { posts: { written: 1, removed: 2, unchanged: 0 }, media: { removed: 1 } },
    });
    expect(await stored()).toMatchObject({
      posts: { two: 'Zwei' },
      categories: null,
      tags: { gpu: 'GPU' },
      media: null,
    });
  });

  it('changes nothing if one file has an error', async () => {
    await sync(files);
    const before = await stored();
    const attempt = sync({ ...files, 'new.md': post('New.'), 'bad.md': post('Bad.', 'title: Bad') });
    await expect(attempt).rejects.toThrow(OperationError);
    await expect(attempt).rejects.toThrow(
      '1 error, nothing was changed:\nbad.md:1: the date is missing; add for example',
    );
    expect(await stored()).toEqual(before);
  });

  it('treats warnings as errors with --strict and writes nothing with --check', async () => {
    await sync(files);
    const before = await stored();
    const withWarning = { 'one.md': post('{{< chart >}}') };
    await expect(sync(withWarning, { strict: true })).rejects.toThrow('one.md:6: unknown shortcode “chart”');
    const checked = await sync(withWarning, { check: true });
    expect(checked.warnings).toEqual(['one.md:6: unknown shortcode “chart”; removed']);
    expect(checked).not.toHaveProperty('stored');
    expect(await stored()).toEqual(before);
  });

  it('removes all posts only with --allow-empty', async () => {
    await sync(files);
    await expect(sync({})).rejects.toThrow('pass --allow-empty to remove all posts');
    await expect(syncContent('/nowhere/at/all', {})).rejects.toThrow('/nowhere/at/all is not a folder');
    expect(await sync({}, { allowEmpty: true })).toMatchObject({ stored: { posts: { removed: 3 } } });
    expect(await sync({})).toMatchObject({ posts: { published: 0 } });
  });

  it('serializes concurrent runs', async () => {
    await Promise.all([sync(files), sync(files), sync(files)]);
    expect(await stored()).toMatchObject({ posts: { one: 'One', two: 'Two', later: 'Later' } });
  });

  it('is not possible with the read-only runtime role', async () => {
    const url = runtimeUrl(database);
    await expect(query(url, 'SELECT count(*) FROM website.posts')).resolves.toBeDefined();
    for (const table of ['posts', 'categories', 'tags', 'post_tags', 'media', 'content_revision'])
      await expect(query(url, `DELETE FROM website.${table}`)).rejects.toThrow('permission denied');
  });
});

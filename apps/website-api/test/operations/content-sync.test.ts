import type { TestDatabase } from '@gpu-observatory/embedded-database';
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
  it('makes the site publish what lies in the folder, and a second time changes nothing', async () => {
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

  it('writes what changed, and takes off what is gone with the terms that nobody uses any more', async () => {
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

  it('changes nothing at all when one file has a fault', async () => {
    await sync(files);
    const before = await stored();
    const attempt = sync({ ...files, 'new.md': post('New.'), 'bad.md': post('Bad.', 'title: Bad') });
    await expect(attempt).rejects.toThrow(OperationError);
    await expect(attempt).rejects.toThrow(
      'nothing was changed, because of 1 fault:\nbad.md:1: there is no date: add one such as',
    );
    expect(await stored()).toEqual(before);
  });

  it('with --strict takes a warning for a fault, and with --check writes nothing', async () => {
    await sync(files);
    const before = await stored();
    const doubtful = { 'one.md': post('{{< chart >}}') };
    await expect(sync(doubtful, { strict: true })).rejects.toThrow('one.md:6: unknown shortcode “chart”');
    const checked = await sync(doubtful, { check: true });
    expect(checked.warnings).toEqual(['one.md:6: unknown shortcode “chart”: it is left out']);
    expect(checked).not.toHaveProperty('stored');
    expect(await stored()).toEqual(before);
  });

  it('does not empty a site by mistake', async () => {
    await sync(files);
    await expect(sync({})).rejects.toThrow('give --allow-empty if it should have none');
    await expect(syncContent('/nowhere/at/all', {})).rejects.toThrow('there is no folder /nowhere/at/all');
    expect(await sync({}, { allowEmpty: true })).toMatchObject({ stored: { posts: { removed: 3 } } });
    expect(await sync({})).toMatchObject({ posts: { published: 0 } });
  });

  it('lets two runs at once follow one another', async () => {
    await Promise.all([sync(files), sync(files), sync(files)]);
    expect(await stored()).toMatchObject({ posts: { one: 'One', two: 'Two', later: 'Later' } });
  });

  it('is not for the role of the running service, which only reads', async () => {
    const runtime = new pg.Client({ connectionString: runtimeUrl(database) });
    await runtime.connect();
    try {
      await expect(runtime.query('SELECT count(*) FROM website.posts')).resolves.toBeDefined();
      for (const table of ['posts', 'categories', 'tags', 'post_tags', 'media', 'content_revision']) {
        await expect(runtime.query(`DELETE FROM website.${table}`)).rejects.toThrow('permission denied');
      }
    } finally {
      await runtime.end();
    }
  });
});

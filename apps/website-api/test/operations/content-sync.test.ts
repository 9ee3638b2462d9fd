import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { query } from '@gpu-observatory/embedded-database';
import { type TestDatabase } from '@gpu-observatory/testing';
import { OperationError } from '@gpu-observatory/service-runtime/process';
import pg from 'pg';
import { contentCommand } from '../../src/content/content.command.ts';
import { syncContent } from '../../src/content/sync-content.ts';
import { contentFolder, PIXEL_PNG, post } from '../support/content-folder.ts';
import { createWebsiteDatabase, ownerUrl, runtimeUrl } from '../support/website.ts';

/** The compiled program from `npm run build`. */
const PROGRAM = fileURLToPath(new URL('../../dist/src/cli.js', import.meta.url));

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
      'post_tags', (SELECT jsonb_object_agg(slug, tag_slugs) FROM website.posts),
      'media', (SELECT jsonb_agg(path) FROM website.media)) AS stored`);
  return rows[0]?.stored;
}

async function published(posts: Record<string, string>): Promise<void> {
  const deadline = Date.now() + 15_000;
  for (;;) {
    const { posts: titles } = (await stored()) as { posts: Record<string, string> | null };
    if (Object.entries(posts).every(([slug, title]) => titles?.[slug] === title)) return;
    if (Date.now() > deadline) throw new Error(`not published: ${JSON.stringify(posts)}`);
    await setTimeout(50);
  }
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
      post_tags: { one: ['ebpf', 'gpu'], two: ['gpu'], later: [] },
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
    await expect(sync(withWarning, { strict: true })).rejects.toThrow('one.md:6: “{{< chart >}}” is a tag');
    const checked = await sync(withWarning, { check: true });
    expect(checked.warnings).toEqual([
      'one.md:6: “{{< chart >}}” is a tag of a site generator; left as text',
    ]);
    expect(checked).not.toHaveProperty('stored');
    expect(await stored()).toEqual(before);
  });

  it('changes nothing if the body of a later post has an error or, with --strict, a warning', async () => {
    await sync(files);
    const before = await stored();
    const changed = { ...files, 'one.md': files['one.md'].replace('title: One', 'title: Eins') };
    const strict = sync(
      { ...changed, 'z.md': post('![z](gone.png)', 'title: Z\ndate: 2026-01-01') },
      { strict: true },
    );
    await expect(strict).rejects.toThrow(
      '1 error, nothing was changed:\nz.md:6: the image “gone.png” is not',
    );
    await expect(sync({ ...changed, 'z.md': post('Z', 'date: 2026-01-01') })).rejects.toThrow(
      'the title is missing',
    );
    expect(await stored()).toEqual(before);
  });

  it('publishes without invalid files with --skip-invalid, and lists them', async () => {
    const report = await sync(
      {
        ...files,
        'a.md': post('Bad.', 'title: Colon: in title\ndate: 2026-01-01'),
        'b.md': post('[a](a.md)', 'title: B\ndate: 2026-01-01\nslug: ONE'),
        'c.md': post('[a](a.md)', 'title: C\ndate: 2026-01-01'),
        'd.mdx': '# D',
        'e.png': 'not a picture',
      },
      { skipInvalid: true },
    );
    expect(report).toMatchObject({
      posts: { published: 3, scheduled: 1, drafts: 1 },
      skipped: [
        'a.md:2: invalid YAML: a value with a colon and a space needs quotes; write title: "Colon: in title"',
        expect.stringMatching(/^d\.mdx:1: MDX runs code/),
        'e.png:1: the file is not a valid image of the type in its name',
        'one.md:1: the slug “one” is also the slug of b.md',
      ],
    });
    // The report has the warnings of the published files only.
    expect(report.warnings).toEqual([
      'b.md:4: “slug: ONE” becomes “one”; the URL with the old spelling redirects to the new one',
      'b.md:7: “a.md” does not exist on this site; link removed, text kept',
      'c.md:6: “a.md” does not exist on this site; link removed, text kept',
    ]);
    expect(await stored()).toMatchObject({ posts: { one: 'B', c: 'C', two: 'Two', later: 'Later' } });
  });

  it('does not empty the site if --skip-invalid skips every post', async () => {
    await sync(files);
    const before = await stored();
    await expect(sync({ 'a.md': 'No front matter.' }, { skipInvalid: true })).rejects.toThrow(
      'pass --allow-empty to remove all posts',
    );
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
    await expect(query(url, 'SELECT count(*) FROM website.posts')).resolves.toHaveLength(1);
    for (const table of ['posts', 'categories', 'tags', 'media', 'content_revision'])
      await expect(query(url, `DELETE FROM website.${table}`)).rejects.toThrow('permission denied');
  });
});

describe('the command', () => {
  /** Runs `content sync … --check` and returns its output. */
  async function check(content: Record<string, string>, ...options: string[]) {
    await using folder = await contentFolder(content);
    const lines: string[] = [];
    const print = (line: string) => void lines.push(line);
    const spies = [
      jest.spyOn(console, 'log').mockImplementation(print),
      jest.spyOn(console, 'error').mockImplementation(print),
      jest.spyOn(process.stderr, 'write').mockImplementation((text) => lines.push(String(text)) > 0),
    ];
    const command = contentCommand();
    for (const each of [command, ...command.commands]) each.exitOverride();
    try {
      await command.parseAsync(['sync', folder.path, '--check', ...options], { from: 'user' });
      return { exitCode: process.exitCode ?? 0, output: lines.join('\n') };
    } catch (failure) {
      return { exitCode: 1, output: [...lines, failure].join('\n') };
    } finally {
      process.exitCode = 0;
      for (const spy of spies) spy.mockRestore();
    }
  }
  const folder = { 'a.md': post('See [b](/docs/b).'), 'b.md': post('Text.', 'title: B') };

  it('exits with 2 if --skip-invalid skipped a file, and prints the file, line and reason', async () => {
    const { exitCode, output } = await check(folder, '--skip-invalid', '--old-site', 'https://old.example');
    expect(exitCode).toBe(2);
    expect(output).toMatch(/^skipped:\nb\.md:1: the date is missing; add for example .*\n/);
    expect(output).toContain(
      '1 post published, 0 scheduled, 0 drafts skipped, 1 invalid file skipped, 0 warnings',
    );
    expect(JSON.parse((await check(folder, '--skip-invalid', '--json')).output)).toMatchObject({
      skipped: [expect.stringMatching(/^b\.md:1: /)],
    });
  });

  it('reports progress', async () => {
    let now = Date.now();
    const clock = jest.spyOn(Date, 'now').mockImplementation(() => (now += 3_000));
    const { output } = await check({
      'a.md': post('Text.'),
      'b.md': post('Text.'),
      'c.md': post('Text.'),
    });
    clock.mockRestore();
    expect(output).toMatch(/^2 of 3 posts\n\n3 posts published/);
  });

  it('publishes again after each change with --watch, also after an error', async () => {
    await using folder = await contentFolder(files);
    const child = spawn(process.execPath, [PROGRAM, 'content', 'sync', folder.path, '--watch'], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    try {
      const errors = child.stderr.setEncoding('utf8');
      await published({ one: 'One' });
      await writeFile(join(folder.path, 'one.md'), post('One.', 'title: One'));
      expect(await once(errors, 'data')).toEqual([expect.stringContaining('one.md:1: the date is missing')]);
      await writeFile(join(folder.path, 'one.md'), post('One.', 'title: Uno\ndate: 2026-01-01'));
      await published({ one: 'Uno' });
    } finally {
      child.kill();
      await once(child, 'exit');
    }
  });

  it('exits with 0 if --skip-invalid had nothing to skip', async () => {
    expect(await check({ 'a.md': post('Text.') }, '--skip-invalid')).toMatchObject({ exitCode: 0 });
  });

  it.each([
    [['--old-site', 'old.example'], 'It must be a URL such as https://old.example.'],
    [['--old-site', 'ftp://old.example'], 'It must be a URL such as https://old.example.'],
    [['--skip-invalid', '--strict'], 'cannot be used with option'],
  ])('rejects %j', async (options, expected) => {
    const { exitCode, output } = await check(folder, ...options);
    expect(exitCode).toBe(1);
    expect(output).toContain(expected);
  });
});

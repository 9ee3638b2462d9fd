import { formatFinding, inFileOrder } from '../../src/content/findings.ts';
import { prepareContent } from '../../src/content/prepare-content.ts';
import { contentFolder, post } from '../support/content-folder.ts';

async function prepare(files: Record<string, string>) {
  await using folder = await contentFolder(files);
  const { content, findings } = await prepareContent(folder.path);
  return { posts: content.posts, faults: inFileOrder(findings.faults).map(formatFinding) };
}

describe('the head of a post', () => {
  it('is read in Hugo’s YAML, whatever the case of its names', async () => {
    const head = `Title: "Adaptive selection"
Description: What to watch
Date: 2023-07-04
lastmod: 2023-08-01T10:00:00+02:00
Author: '[Ada](https://example.org), Grace'
slug: adaptive
tags: ["eBPF", "C++"]
categories: [Kernel, Deep dives]
featured: true
canonical_url: https://example.org/first`;
    const { posts, faults } = await prepare({ 'blog/adaptive/index.md': post('Text.', head) });
    expect(faults).toEqual([]);
    expect(posts).toMatchObject([
      {
        slug: 'adaptive',
        title: 'Adaptive selection',
        summary: 'What to watch',
        author: 'Ada, Grace',
        publishedAt: new Date('2023-07-04T00:00:00Z'),
        updatedAt: new Date('2023-08-01T08:00:00Z'),
        category: { slug: 'kernel', name: 'Kernel' },
        tags: [
          { slug: 'deep-dives', name: 'Deep dives' },
          { slug: 'ebpf', name: 'eBPF' },
          { slug: 'c-plus-plus', name: 'C++' },
        ],
        featured: true,
        draft: false,
        canonicalUrl: 'https://example.org/first',
      },
    ]);
  });

  it('is read in Hugo’s and Zola’s TOML', async () => {
    const text = `+++
title = "Counting XIDs"
date = 2026-03-01T09:30:00Z
draft = true

[taxonomies]
tags = ["xid"]

[extra]
author = "Lin"
+++
Text.
`;
    const { posts, faults } = await prepare({ 'counting-xids.md': text });
    expect(faults).toEqual([]);
    expect(posts).toMatchObject([
      {
        slug: 'counting-xids',
        publishedAt: new Date('2026-03-01T09:30:00Z'),
        draft: true,
        tags: [{ slug: 'xid', name: 'xid' }],
        author: 'Lin',
      },
    ]);
  });

  it('is read in Jekyll’s way: the date in the name, tags parted by blanks, published as a flag', async () => {
    const head =
      'title: Reset or restart\ncategory: Field notes\ntags: gpu reset\npublished: false\nauthor: Kim';
    const { posts, faults } = await prepare({ '_posts/2025-02-03-reset-or-restart.md': post('Text.', head) });
    expect(faults).toEqual([]);
    expect(posts).toMatchObject([
      {
        slug: 'reset-or-restart',
        publishedAt: new Date('2025-02-03T00:00:00Z'),
        category: { slug: 'field-notes', name: 'Field notes' },
        tags: [{ slug: 'gpu' }, { slug: 'reset' }],
        draft: true,
      },
    ]);
  });

  it.each([
    ['2024-12-09', '2024-12-09T00:00:00.000Z'],
    ['2024-12-09 10:00:00 +0900', '2024-12-09T01:00:00.000Z'],
    ['2024-12-09T10:00:00.5-05:00', '2024-12-09T15:00:00.500Z'],
    ['2024-12-09 10:00', '2024-12-09T10:00:00.000Z'],
    ['9999-12-31T23:59:59+23:59', '9999-12-31T00:00:59.000Z'],
  ])('takes %s as a date', async (written, meant) => {
    const { posts } = await prepare({ 'a.md': post('Text.', `title: T\ndate: ${written}`) });
    expect(posts[0]?.publishedAt.toISOString()).toBe(meant);
  });

  it.each([
    '2026-01-01T00:00:00+99:99',
    '2026-01-01T00:00:00+24:00',
    '2026-01-01T00:00:00+09:60',
    '9999-12-31T23:59:59-23:59',
    '1970-01-01T00:00:00+01:00',
    '1969-12-31',
    '0070-01-01',
  ])('does not take %s for a date', async (written) => {
    const { faults } = await prepare({ 'a.md': post('Text.', `title: T\ndate: ${written}`) });
    expect(faults).toEqual([expect.stringMatching(/^a\.md:3: “date: .*” is no date: /)]);
  });

  it('counts what the post says itself before what TOML tables of it say', async () => {
    const text = `+++
Title = "Own"
date = 2026-03-01
draft = true

[taxonomies]
tags = ["xid"]
title = "Of the taxonomies"

[extra]
title = "Of the author"
date = 2020-01-01
draft = false
tags = ["other"]
+++
Text.
`;
    const { posts, faults } = await prepare({ 'a.md': text });
    expect(faults).toEqual([]);
    expect(posts).toMatchObject([
      {
        title: 'Own',
        publishedAt: new Date('2026-03-01T00:00:00Z'),
        draft: true,
        tags: [{ slug: 'xid', name: 'xid' }],
      },
    ]);
  });

  it('takes the title and the summary from the body where the head has none', async () => {
    const { posts } = await prepare({
      'a.md': post('# The title\n\nThe *first* paragraph.\n\nMore.', 'date: 2026-01-31'),
    });
    expect(posts).toMatchObject([
      { title: 'The title', summary: 'The first paragraph.', body: 'The *first* paragraph.\n\nMore.\n' },
    ]);
  });

  it('keeps letters of every script in a slug made of a name', async () => {
    const { posts } = await prepare({ 'Cómo Añadir 指标.md': post('Text.') });
    expect(posts[0]?.slug).toBe('como-anadir-指标');
  });
});

describe('what is wrong with a head', () => {
  it('is told with file and line, all of it at once', async () => {
    const { faults } = await prepare({
      'a.md': 'No head at all.\n',
      'b.md': '---\ntitle: Never closed\n',
      'c.md': '---\ntitle: [\n---\n',
      'd.md': '+++\ntitle = "T"\ndate = yesterday\n+++\n',
      'e.md': post('Text.', 'title: T\ndate: 2026-02-30\ntags: {a: 1}\ndraft: perhaps\nslug: Not A Slug'),
      'f.md': post('Text.', 'title: T'),
      'g.md': post('Text.', 'date: 2026-01-31'),
      'h/one.md': post('Text.', 'title: T\ndate: 2026-01-31\nslug: same'),
      'i/two.md': post('Text.', 'title: T\ndate: 2026-01-31\nslug: same'),
      'j.md': post('Text.', 'title: T\ndate: 2026-01-31\nlastmod: 2025-01-31'),
      'tool.exe': 'MZ',
      'picture.png': 'not a picture',
    });
    expect(faults).toEqual([
      'a.md:1: a post begins with front matter: YAML between --- lines or TOML between +++ lines',
      'b.md:1: the front matter that begins with --- is never closed by another --- line',
      expect.stringMatching(/^c\.md:[23]: not valid YAML: /),
      expect.stringMatching(/^d\.md:3: not valid TOML: /),
      'e.md:3: “date: 2026-02-30” is no date: write 2026-01-31, or 2026-01-31T09:00:00Z with a time',
      'e.md:4: “tags” should be words of at most 60 characters, such as [gpu, kernel]',
      'e.md:5: “draft” should be true or false',
      'e.md:6: “slug: Not A Slug” should be lower-case letters and digits joined by dashes, at most 120 of them, ' +
        'such as “not-a-slug”',
      'f.md:1: there is no date: add one such as “date: 2026-01-31” or “date: 2026-01-31T09:00:00Z”',
      'g.md:1: there is no title: add one such as “title: What XID 79 means”',
      'i/two.md:4: the slug “same” is already that of h/one.md',
      'j.md:1: the post was updated before it was published: check its dates',
      'picture.png:1: the file is not the image that its name says it is',
      expect.stringMatching(/^tool\.exe:1: files of this kind are not served; known are \.png /),
    ]);
  });

  it('is told of a name that is there twice in different case', async () => {
    const { faults } = await prepare({
      'a.md': post('Text.', 'title: x\ndate: 2026-01-31\nTitle: y'),
      'b.md': '+++\ntitle = "x"\nTITLE = "y"\ndate = 2026-01-31\n+++\nText.\n',
    });
    expect(faults).toEqual([
      'a.md:4: “Title” is given on line 2 already, in whatever case: keep one of the two',
      'b.md:3: “TITLE” is given on line 2 already, in whatever case: keep one of the two',
    ]);
  });

  it('is told with its line in TOML, whatever stands around it', async () => {
    const toml = `+++
date_note = "none"
summary = '''
date = "within a text"
'''
 "date" = "soon" # not yet
extra.featured = "very"
title = "T"

[other]
slug = "Other"
lang = "Other"

[taxonomies]
lang = "en us"
tags = [{ a = 1 }]

[author]
slug = "A"

[extra.image]
slug = "B"
+++
Text.
`;
    const inline = '+++\ntitle = "T"\ndate = 2026-01-31\nextra = { slug = "Not A Slug" }\n+++\nText.\n';
    const { faults } = await prepare({ 'a.md': toml, 'b.md': inline });
    expect(faults).toEqual([
      expect.stringMatching(/^a\.md:6: “date: soon” is no date/),
      'a.md:7: “featured” should be true or false',
      'a.md:15: “lang” should be a language tag such as en or pt-BR',
      expect.stringMatching(/^a\.md:16: “tags” should be words/),
      'a.md:18: “author” should be a name or a list of names',
      expect.stringMatching(/^b\.md:4: “slug: Not A Slug” should be lower-case letters/),
    ]);
  });

  it('is told of a title that the body’s heading has to be and cannot', async () => {
    const { posts, faults } = await prepare({
      'blank.md': post('#\n\nText.', 'date: 2026-01-31'),
      'comment.md': post('# <!-- later -->\n\nText.', 'date: 2026-01-31'),
      'long.md': post(`{{< comment >}}\n\n{{< /comment >}}\n\n# ${'a'.repeat(201)}\n`, 'date: 2026-01-31'),
      'lines.md': post(`Two\u00a0  lines\n${'b'.repeat(190)}\n===\n\nText.`, 'date: 2026-01-31'),
    });
    expect(faults).toEqual([
      'blank.md:1: there is no title: add one such as “title: What XID 79 means”',
      'comment.md:1: there is no title: add one such as “title: What XID 79 means”',
      'long.md:9: the heading that is the title has 201 characters; at most 200 fit',
    ]);
    expect(posts.find(({ slug }) => slug === 'lines')).toMatchObject({
      title: `Two lines ${'b'.repeat(190)}`,
      body: 'Text.\n',
    });
  });

  it('is told of YAML that would grow without end', async () => {
    const bomb = [
      'a: &a [x,x,x,x,x,x,x,x,x]',
      ...'bcdefgh'
        .split('')
        .map((name, index) => `${name}: &${name} [${Array(9).fill(`*${'abcdefgh'[index]}`).join(',')}]`),
    ].join('\n');
    const { faults } = await prepare({ 'a.md': post('Text.', bomb) });
    expect(faults).toEqual([expect.stringMatching(/^a\.md:2: not usable YAML: /)]);
  });
});

import { formatFinding, inFileOrder } from '../../src/content/findings.ts';
import { prepareContent } from '../../src/content/prepare-content.ts';
import { contentFolder, PIXEL_PNG, post } from '../support/content-folder.ts';

async function prepare(files: Record<string, string>) {
  await using folder = await contentFolder(files);
  const { content, findings } = await prepareContent(folder.path);
  return {
    posts: [...content.prepare()],
    errors: inFileOrder(findings.errors).map(formatFinding),
    warnings: inFileOrder(findings.warnings).map(formatFinding),
  };
}

describe('front matter', () => {
  it('reads YAML of Hugo with case-insensitive names', async () => {
    const front = `Title: "Adaptive selection"
Description: What to watch
Date: 2023-07-04
lastmod: 2023-08-01T10:00:00+02:00
Author: '[Ada](https://example.org), Grace'
slug: adaptive
tags: ["eBPF", "C++"]
categories: [Kernel, Deep dives]
featured: true
canonical_url: https://example.org/first`;
    const { posts, errors } = await prepare({ 'blog/adaptive/index.md': post('Text.', front) });
    expect(errors).toEqual([]);
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

  it('reads Jekyll posts: date in the file name, tags separated by spaces, published as a flag', async () => {
    const front =
      'title: Reset or restart\ncategory: Field notes\ntags: gpu reset\npublished: false\nauthor: Kim';
    const { posts, errors } = await prepare({
      '_posts/2025-02-03-reset-or-restart.md': post('Text.', front),
    });
    expect(errors).toEqual([]);
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

  it('reads earlier paths of Hugo and Jekyll', async () => {
    const of = (front: string) => post('Text.', `title: T\ndate: 2026-01-31\n${front}`);
    const { posts, errors } = await prepare({
      'news/hugo/index.md': of(
        'aliases: [/blog/2019/old/, ../older, same-folder.html]\nurl: /announcements/a/',
      ),
      '_posts/2026-01-31-jekyll.md': of(
        'redirect_from: https://old.example/2019/01/a%20post/index.html\npermalink: /:year/:title/',
      ),
      'link.md': of('url: https://elsewhere.example/a\naliases: "/"'),
    });
    expect(errors).toEqual([]);
    expect(Object.fromEntries(posts.map(({ slug, formerPaths }) => [slug, formerPaths]))).toEqual({
      hugo: ['/blog/2019/old', '/older', '/news/same-folder', '/blog/same-folder', '/announcements/a'],
      jekyll: ['/2019/01/a post'],
      link: [],
    });
  });

  it('rejects earlier paths that are no text', async () => {
    const { errors } = await prepare({ 'a.md': post('Text.', 'title: T\ndate: 2026-01-31\naliases: [1]') });
    expect(errors).toEqual([
      'a.md:4: “aliases” must be a path or a list of paths, for example [/2024/old-name/]',
    ]);
  });

  it('warns of earlier paths that lead to another post', async () => {
    const of = (aliases: string) => post('Text.', `title: T\ndate: 2026-01-31\naliases: ${aliases}`);
    const { warnings } = await prepare({
      'a.md': of('[/old/, /blog/a]'),
      'b.md': of('[/old.html, /blog/a]'),
    });
    expect(warnings).toEqual([
      'b.md:1: “/old” leads to a.md; it does not redirect to this post',
      'b.md:1: “/blog/a” leads to a.md; it does not redirect to this post',
    ]);
  });

  it.each([
    ['2024-12-09', '2024-12-09T00:00:00.000Z'],
    ['2024-12-09 10:00:00 +0900', '2024-12-09T01:00:00.000Z'],
    ['2024-12-09T10:00:00.5-05:00', '2024-12-09T15:00:00.500Z'],
    ['2024-12-09 10:00', '2024-12-09T10:00:00.000Z'],
    ['9999-12-31T23:59:59+23:59', '9999-12-31T00:00:59.000Z'],
    ['Mar 3, 2024', '2024-03-03T00:00:00.000Z'],
    ['Sept. 30, 2024 16:05', '2024-09-30T16:05:00.000Z'],
    ['3 March 2024', '2024-03-03T00:00:00.000Z'],
  ])('accepts %s as a date', async (source, expected) => {
    const { posts } = await prepare({ 'a.md': post('Text.', `title: T\ndate: ${source}`) });
    expect(posts[0]?.publishedAt.toISOString()).toBe(expected);
  });

  it.each([
    '2026-01-01T00:00:00+99:99',
    '2026-01-01T00:00:00+24:00',
    '2026-01-01T00:00:00+09:60',
    '9999-12-31T23:59:59-23:59',
    '1970-01-01T00:00:00+01:00',
    '1969-12-31',
    '0070-01-01',
    'Feb 30, 2024',
    'Ma 3, 2024',
    'Marsh 3, 2024',
    'Mar 3, 2024 1:00 pm',
    '2024/3/9',
    '2024-03-03 24:00',
    '2024-03-03 soon',
    '2024-03/03',
  ])('rejects %s as a date', async (source) => {
    const { errors } = await prepare({ 'a.md': post('Text.', `title: T\ndate: ${source}`) });
    expect(errors).toEqual([expect.stringMatching(/^a\.md:3: “date: .*” is not a date; /)]);
  });

  it('rejects a date whose day and month could be swapped', async () => {
    const { errors } = await prepare({ 'a.md': post('Text.', 'title: T\ndate: 03/04/2024') });
    expect(errors).toEqual([
      'a.md:3: “date: 03/04/2024” is ambiguous; write 2026-01-31, 2026-01-31T09:00:00Z or Jan 31, 2026',
    ]);
  });

  it.each(['published_at', 'publishDate', 'pubDate'])('reads the date from %s', async (name) => {
    const { posts } = await prepare({ '2020-01-01-a.md': post('Text.', `title: T\n${name}: 2026-01-31`) });
    expect(posts).toMatchObject([{ publishedAt: new Date('2026-01-31T00:00:00Z'), draft: false }]);
  });

  it.each([
    ['author: Ada Lovelace', 'Ada Lovelace'],
    ['authors: Ada, Grace', 'Ada, Grace'],
    ['authors: [Ada, Grace]', 'Ada, Grace'],
    ['authors:\n  - name: Ada\n    url: https://a.example\n  - name: Grace', 'Ada, Grace'],
    ['author: {name: Ada, github: countess}', 'Ada'],
    ['author: "[Ada](https://a.example)"', 'Ada'],
    ['title: T', 'GPU Observatory'],
  ])('reads the author from %s', async (front, expected) => {
    const title = front.startsWith('title') ? '' : 'title: T\n';
    const { posts, errors, warnings } = await prepare({
      'a.md': post('Text.', `${title}date: 2026-01-31\n${front}`),
    });
    expect([...errors, ...warnings]).toEqual([]);
    expect(posts[0]?.author).toBe(expected);
  });

  it.each([
    ['blog_author: Ada', 'author'],
    ['byline: Ada', 'author'],
    ['created_at: 2026-01-30', 'date'],
    ['modified: 2026-02-01', 'lastmod'],
    ['subtitle: S', 'description'],
    ['pinned: true', 'featured'],
    ['canonical: https://first.example/a', 'canonical_url'],
  ])('warns of “%s”, which it does not read', async (line, name) => {
    const { posts, warnings } = await prepare({ '2026-01-31-a.md': post('Text.', `title: T\n${line}`) });
    expect(posts[0]?.publishedAt).toEqual(new Date('2026-01-31T00:00:00Z'));
    const [unread] = line.split(':');
    expect(warnings).toEqual([`2026-01-31-a.md:3: “${unread}” is not read; use “${name}”`]);
  });

  it('does not warn of further names of a field that it reads', async () => {
    const { warnings } = await prepare({
      'a.md': post('Text.', 'title: T\ndate: 2026-01-31\ncreated: 2026-01-30\nauthor: Ada\nauthor_url: a'),
    });
    expect(warnings).toEqual([]);
  });

  it.each([
    ['Falco-kernel-testing', 'falco-kernel-testing'],
    ['XID_79 & friends', 'xid-79-and-friends'],
    ['Ünïcode', 'unicode'],
    ['a'.repeat(121), 'a'.repeat(120)],
  ])('normalizes the slug %s with a warning', async (slug, expected) => {
    const { posts, warnings } = await prepare({
      'a.md': post('Text.', `title: T\ndate: 2026-01-31\nslug: ${slug}`),
    });
    expect(posts[0]?.slug).toBe(expected);
    expect(warnings).toEqual([
      `a.md:4: “slug: ${slug}” becomes “${expected}”; the URL with the old spelling redirects to the new one`,
    ]);
  });

  it.each([
    ['a.md', '+++\ntitle = "T"\npath = "2014/12/12/1.0-Timeline"\n+++\nText.', ['/2014/12/12/1.0-Timeline']],
    ['a.md', post('Text.', 'title: T\npermalink: /2014/12/12/old/'), ['/2014/12/12/old']],
    ['2014/12/12/a.md', post('Text.', 'title: T'), []],
    ['2014-12-12-a/index.md', post('Text.', 'title: T\npath: /about'), ['/about']],
  ])('reads the date from the path of the file or page: %s %j', async (path, text, formerPaths) => {
    const { posts, errors } = await prepare({ [path]: text });
    expect(errors).toEqual([]);
    expect(posts).toMatchObject([{ publishedAt: new Date('2014-12-12T00:00:00Z'), formerPaths }]);
  });

  it('reads YAML that ends with dots', async () => {
    const { posts } = await prepare({ 'a.md': '---\ntitle: T\ndate: 2026-01-31\n...\nText.\n\n---\n' });
    expect(posts).toMatchObject([{ title: 'T', body: 'Text.\n\n---\n' }]);
  });

  it('does not use an SVG as the image of link previews', async () => {
    await using folder = await contentFolder({
      'a.md': post('Text.', 'title: T\ndate: 2026-01-31\nimage: a.svg'),
      'b.md': post('Text.', 'title: T\ndate: 2026-01-31\nimage: b.png'),
      'a.svg': '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>',
      'b.png': PIXEL_PNG,
    });
    const { content, findings } = await prepareContent(folder.path);
    expect([...content.prepare()].map(({ imagePath }) => imagePath)).toEqual([undefined, '/media/b.png']);
    expect(findings.warnings.map(formatFinding)).toEqual([
      'a.md:4: link previews do not show SVG images; the image is not used. Add it as PNG or JPEG',
    ]);
  });

  it('accepts a number as a slug', async () => {
    const { posts } = await prepare({ 'a.md': post('Text.', 'title: T\ndate: 2026-01-31\nslug: 2026') });
    expect(posts[0]?.slug).toBe('2026');
  });

  it('reads TOML of Hugo and Zola, and prefers top-level values over [taxonomies] and [extra]', async () => {
    const text = `+++
Title = "Own"
date = 2026-03-01T09:30:00Z
draft = true

[taxonomies]
tags = ["xid"]
title = "Of the taxonomies"

[extra]
title = "Of the author"
date = 2020-01-01
draft = false
tags = ["other"]
author = "Lin"
+++
Text.
`;
    const { posts, errors } = await prepare({ 'counting-xids.md': text });
    expect(errors).toEqual([]);
    expect(posts).toMatchObject([
      {
        slug: 'counting-xids',
        title: 'Own',
        publishedAt: new Date('2026-03-01T09:30:00Z'),
        draft: true,
        tags: [{ slug: 'xid', name: 'xid' }],
        author: 'Lin',
      },
    ]);
  });

  it('takes a missing title and summary from the body', async () => {
    const { posts } = await prepare({
      'a.md': post('# The title\n\nThe *first* paragraph.\n\nMore.', 'date: 2026-01-31'),
    });
    expect(posts).toMatchObject([
      { title: 'The title', summary: 'The first paragraph.', body: 'The *first* paragraph.\n\nMore.\n' },
    ]);
  });

  it('keeps letters of every script in a slug derived from a file name', async () => {
    const { posts } = await prepare({ 'Cómo Añadir 指标.md': post('Text.') });
    expect(posts[0]?.slug).toBe('como-anadir-指标');
  });
});

describe('invalid front matter', () => {
  it('reports all errors with file and line', async () => {
    const { errors } = await prepare({
      'a.md': 'No head at all.\n',
      'b.md': '---\ntitle: Never closed\n',
      'c.md': '---\ntitle: [\n---\n',
      'd.md': '+++\ntitle = "T"\ndate = yesterday\n+++\n',
      'e.md': post(
        'Text.',
        'title: T\ndate: 2026-02-30\ntags: {a: 1}\ndraft: perhaps\nslug: /2026/Not A Slug',
      ),
      'f.md': post('Text.', 'title: T'),
      'g.md': post('Text.', 'date: 2026-01-31'),
      'h/one.md': post('Text.', 'title: T\ndate: 2026-01-31\nslug: Same'),
      'i/two.md': post('Text.', 'title: T\ndate: 2026-01-31\nslug: same'),
      'j.md': post('Text.', 'title: T\ndate: 2026-01-31\nlastmod: 2025-01-31'),
      'k.mdx': 'import Chart from "./chart"\n\n<Chart />\n',
      'tool.exe': 'MZ',
      'picture.png': 'not a picture',
    });
    expect(errors).toEqual([
      'a.md:1: a post must start with front matter: YAML between --- lines or TOML between +++ lines',
      'b.md:1: the front matter starts with ---, but has no closing --- line',
      expect.stringMatching(/^c\.md:[23]: invalid YAML: /),
      expect.stringMatching(/^d\.md:3: invalid TOML: /),
      'e.md:3: “date: 2026-02-30” is not a date; write 2026-01-31, 2026-01-31T09:00:00Z or Jan 31, 2026',
      'e.md:4: “tags” must be words of at most 60 characters, for example [gpu, kernel]; got {"a":1}',
      'e.md:5: “draft” must be true or false',
      'e.md:6: “slug: /2026/Not A Slug” must be lower-case letters and digits joined by dashes, at most 120 characters, ' +
        'for example “not-a-slug”',
      'f.md:1: the date is missing; add for example “date: 2026-01-31” or “date: 2026-01-31T09:00:00Z”',
      'g.md:1: the title is missing; add for example “title: What XID 79 means”',
      'i/two.md:4: the slug “same” is also the slug of h/one.md',
      'j.md:1: the update date is before the publication date',
      'k.mdx:1: MDX runs code, so it is not supported; rename the file to .md, remove its import and export lines, and ' +
        'replace components such as <Chart /> with markdown or an image',
      'picture.png:1: the file is not a valid image of the type in its name',
      expect.stringMatching(/^tool\.exe:1: unsupported file type; supported are \.png /),
    ]);
  });

  it.each([
    [
      'title: Colon: in title',
      'a value with a colon and a space needs quotes; write title: "Colon: in title"',
    ],
    ["title: it's: fine", 'a value with a colon and a space needs quotes; write title: "it\'s: fine"'],
    ['title: @handle', 'a value that starts with @ needs quotes; write title: "@handle"'],
    ['title: `nvidia-smi`', 'a value that starts with ` needs quotes; write title: "`nvidia-smi`"'],
    ['title: *New* release', 'a value that starts with * needs quotes; write title: "*New* release"'],
    ['title: *New', 'a value that starts with * needs quotes'],
    ["title: 'it's'", 'the quoted text contains \'; write title: "it\'s"'],
    ['title: "Quoted" word', 'text follows the closing "; write title: "\\"Quoted\\" word"'],
    ['date: 2026-01-31', 'the name of this line is used above; keep one of the two lines'],
    ['title: "open', 'the quoted text has no closing "; write title: "open"'],
    ['title: "C:\\new \\q"', '“\\” in quoted text must be doubled; write title: "C:\\\\new \\\\q"'],
    ['url: {{ site.url }}/x', 'a template must be in quotes; write url: "{{ site.url }}/x"'],
    ['\ttitle: x', 'the line is indented with a tab; use spaces'],
    ['tags: [a, b', 'a value that starts with [ or { has no closing ] or }'],
  ])('explains the YAML error in %s', async (line, expected) => {
    const { errors } = await prepare({ 'a.md': post('Text.', `date: 2026-01-31\n${line}`) });
    expect(errors).toEqual([`a.md:3: invalid YAML: ${expected}`]);
  });

  it('names the items of a list that are not tags, once', async () => {
    const { errors } = await prepare({
      'a.md': post('Text.', 'title: T\ndate: 2026-01-31\ntags: [2024, true, null, 1.5, "", "!"]'),
    });
    expect(errors).toEqual([
      'a.md:4: “tags” must be words of at most 60 characters, for example [gpu, kernel]; got true, null, "!"',
    ]);
  });

  it('reports names that differ only in case', async () => {
    const { errors } = await prepare({
      'a.md': post('Text.', 'title: x\ndate: 2026-01-31\nTitle: y'),
      'b.md': '+++\ntitle = "x"\nTITLE = "y"\ndate = 2026-01-31\n+++\nText.\n',
    });
    expect(errors).toEqual([
      'a.md:4: “Title” duplicates line 2; names are case-insensitive',
      'b.md:3: “TITLE” duplicates line 2; names are case-insensitive',
    ]);
  });

  it('reports the line of TOML keys in tables, multi-line strings and inline tables', async () => {
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
    const inline = '+++\ntitle = "T"\ndate = 2026-01-31\nextra = { slug = "a/b" }\n+++\nText.\n';
    const { errors } = await prepare({ 'a.md': toml, 'b.md': inline });
    expect(errors).toEqual([
      expect.stringMatching(/^a\.md:6: “date: soon” is not a date/),
      'a.md:7: “featured” must be true or false',
      'a.md:15: “lang” must be a language tag such as en or pt-BR',
      expect.stringMatching(/^a\.md:16: “tags” must be words/),
      'a.md:18: “author” must be a name, an object with “name”, or a list of them',
      expect.stringMatching(/^b\.md:4: “slug: a\/b” must be lower-case letters/),
    ]);
  });

  it('reports a missing title and a heading that is too long for a title', async () => {
    const { posts, errors } = await prepare({
      'blank.md': post('#\n\nText.', 'date: 2026-01-31'),
      'comment.md': post('# <!-- later -->\n\nText.', 'date: 2026-01-31'),
      'long.md': post(`\n\n\n\n# ${'a'.repeat(201)}\n`, 'date: 2026-01-31'),
      'lines.md': post(`Two\u00a0  lines\n${'b'.repeat(190)}\n===\n\nText.`, 'date: 2026-01-31'),
    });
    expect(errors).toEqual([
      'blank.md:1: the title is missing; add for example “title: What XID 79 means”',
      'comment.md:1: the title is missing; add for example “title: What XID 79 means”',
      'long.md:9: the heading used as the title has 201 characters; the maximum is 200',
    ]);
    expect(posts.find(({ slug }) => slug === 'lines')).toMatchObject({
      title: `Two lines ${'b'.repeat(190)}`,
      body: 'Text.\n',
    });
  });

  it('rejects a list of authors that contains itself, and cuts long values in messages', async () => {
    const { errors } = await prepare({
      'a.md': post('Text.', 'title: T\ndate: 2026-01-31\nauthor: &a [*a]'),
      'b.md': post('Text.', `title: T\ndate: ${'Mon '.repeat(10_000)}`),
    });
    expect(errors).toEqual([
      'a.md:4: “author” must be a name, an object with “name”, or a list of them',
      expect.stringMatching(/^b\.md:3: “date: (?:Mon ){40}…” is not a date; write .{1,60}$/),
    ]);
  });

  it('rejects YAML aliases that expand exponentially', async () => {
    const bomb = [
      'a: &a [x,x,x,x,x,x,x,x,x]',
      ...'bcdefgh'
        .split('')
        .map((name, index) => `${name}: &${name} [${Array(9).fill(`*${'abcdefgh'[index]}`).join(',')}]`),
    ].join('\n');
    const { errors } = await prepare({ 'a.md': post('Text.', bomb) });
    expect(errors).toEqual([expect.stringMatching(/^a\.md:\d: invalid YAML: Excessive alias count/)]);
  });
});

import type { Element } from 'hast';
import { toString } from 'hast-util-to-string';
import rehypeParse from 'rehype-parse';
import { unified } from 'unified';
import { visit } from 'unist-util-visit';
import { parseMarkdown } from '../../src/content/markdown.ts';
import { renderPost } from '../../src/content/render-html.ts';
import { formatFinding } from '../../src/content/findings.ts';
import { withSiteUrl } from '../../src/content/site-placeholder.ts';
import { prepareContent, type PrepareOptions } from '../../src/content/prepare-content.ts';
import { contentFolder, PIXEL_PNG, post } from '../support/content-folder.ts';

async function prepare(
  body: string,
  more: Record<string, string | Buffer> = {},
  options: PrepareOptions = {},
) {
  await using folder = await contentFolder({ 'posts/here/index.md': post(body), ...more });
  const { content, findings } = await prepareContent(folder.path, options);
  expect(findings.errors).toEqual([]);
  const prepared = [...content.prepare()].find(({ slug }) => slug === 'here');
  return {
    body: prepared && withSiteUrl(prepared.body, '').trimEnd(),
    html: prepared && withSiteUrl(prepared.html, ''),
    warnings: findings.warnings.map(formatFinding),
  };
}

describe('tags of site generators', () => {
  const textOf = (html = '') => toString(unified().use(rehypeParse, { fragment: true }).parse(html));

  it.each([
    ['{{< figure src="a.png" alt="A *B* &amp; C" >}}'],
    ['{{<youtube bsfMECwmsm0>}}'],
    ['{{< figure\nsrc="a.png"\n>}}', '{{< figure src="a.png" >}}'],
    ['See [it]({{< ref "/blog/there" >}}).', '{{< ref "/blog/there" >}}'],
    ['On {{% param date %}}.', '{{% param date %}}'],
    ['See [it]({% post_url 2026-01-01-there %}).', '{% post_url 2026-01-01-there %}'],
    ['See [it]({{site.baseurl}}/there).', '{{site.baseurl}}'],
    ['![x]({{ site.baseurl }}/a.png)', '{{ site.baseurl }}'],
    ['![x]({{site.baseurl}}/a.png)', '{{site.baseurl}}'],
    ['[it]: {{site.url}}/there', '{{site.url}}'],
    ['https://site.example/{{a_b_c}}', '{{a_b_c}}'],
    ['{{ youtube(id="x") }}'],
    ['Text. {: .note}', '{: .note}'],
    ['Words {#place}', '{#place}'],
    ['Words {.wide}', '{.wide}'],
  ])('leaves %j as text, with a warning', async (source, tag = source) => {
    const { html, warnings } = await prepare(`One.\n\n${source}`);
    expect(textOf(html)).toBe(`One.\n${source}`);
    expect(warnings).toEqual([`posts/here/index.md:8: “${tag}” is a tag of a site generator; left as text`]);
  });

  it('renders what is between an opening and a closing tag', async () => {
    const { html, warnings } = await prepare('{{% alert %}}\n\nOne *word*.\n\n{{% /alert %}}');
    expect(html).toContain('<p>One <em>word</em>.</p>');
    expect(warnings).toHaveLength(2);
  });

  it('leaves tags in a table in their cell', async () => {
    const { html, warnings } = await prepare('| a | b |\n|---|---|\n| {{ "x" | upcase }} | 2 |');
    expect(html).toContain('<td>{{ "x" | upcase }}</td>\n<td>2</td>');
    expect(warnings).toHaveLength(1);
  });

  it('leaves tags in raw HTML, and removes the addresses that they are in', async () => {
    const { html, warnings } = await prepare('<p class="x">{{ a }}</p>\n\n<a href="{{ b }}">c</a>');
    expect(textOf(html)).toBe('{{ a }}\nc');
    expect(warnings).toEqual([
      'posts/here/index.md:6: “{{ a }}” is a tag of a site generator; left as text',
      'posts/here/index.md:8: “{{ b }}” is a tag of a site generator; left as text',
      'posts/here/index.md:8: “{{ b }}” does not exist on this site; link removed, text kept',
    ]);
  });

  it.each(['`{{< youtube x >}}`', '```yaml\nimage: {{ .Values.image }}\n```'])(
    'does not change code: %j',
    async (source) => {
      expect(await prepare(source)).toMatchObject({ body: source, warnings: [] });
    },
  );

  it('warns of a shortcode with the escape of Hugo in code', async () => {
    const source = '`{{</* youtube x */>}}`';
    const { body, warnings } = await prepare(source);
    expect(body).toBe(source);
    expect(warnings).toHaveLength(1);
  });
});

describe('links and images', () => {
  const more = {
    'posts/there.md': post('There.'),
    'posts/here/diagram.png': PIXEL_PNG,
    'posts/here/rules.yaml': 'a: 1\n',
    'static/img/logo.png': PIXEL_PNG,
  };

  it.each([
    ['[x](../there.md#part)', '[x](/blog/there#part)'],
    ['[x](/blog/2025/there/)', '[x](/blog/there)'],
    ['[x](rules.yaml)', '[x](/media/posts/here/rules.yaml)'],
    ['![x](/img/logo.png "Caption")', '![x](/media/static/img/logo.png "Caption")'],
    [
      '[![x](diagram.png)](diagram.png)',
      '[![x](/media/posts/here/diagram.png)](/media/posts/here/diagram.png)',
    ],
    ['[x][1]\n\n[1]: diagram.png', '[x][1]\n\n[1]: /media/posts/here/diagram.png'],
    ['<img src="diagram.png" alt="x">', '<img src="/media/posts/here/diagram.png" alt="x">'],
    [
      '<div>\n<https://o.example/b>\n</div>',
      '<div>\n<a href="https://o.example/b">https://o.example/b</a>\n</div>',
    ],
    ['[x](/developers) [y](#part) [z](https://example.org/) <me@example.org>', undefined],
  ])('resolves the targets in %s', async (source, expected) => {
    expect(await prepare(source, more)).toMatchObject({ body: expected ?? source, warnings: [] });
  });

  it('keeps the text of unresolved references and warns with their line', async () => {
    const { body, warnings } = await prepare(
      'See [the *docs*](/docs/x).\n\n![A plot](plot.png)\n\n![](https://example.org/a.png)',
      more,
    );
    expect(body).toBe('See the *docs*.\n\nA plot\n\n[Image](https://example.org/a.png)');
    expect(warnings).toEqual([
      'posts/here/index.md:6: “/docs/x” does not exist on this site; link removed, text kept',
      'posts/here/index.md:8: the image “plot.png” is not in the content folder; replaced with its alt text',
      'posts/here/index.md:10: the image https://example.org/a.png is on another site; replaced with a link. Add the file to the content folder to show it',
    ]);
  });
});

describe('images of other sites', () => {
  const more = { 'posts/here/a.png': PIXEL_PNG };
  const raw = '<img src="https://o.example/b.png" alt="B">';
  const link = '<a href="https://o.example/b.png">B</a>';

  it.each([
    ['![B](https://o.example/b.png "Title")', '[B](https://o.example/b.png)'],
    ['![B](//o.example/b.png)', '[B](https://o.example/b.png)'],
    ['![](https://o.example/b.png)', '[Image](https://o.example/b.png)'],
    ['![a *b* [c]](https://o.example/b.png)', String.raw`[a b \[c\]](https://o.example/b.png)`],
    [
      '![B][b] ![A][a]\n\n[a]: a.png\n[b]: https://o.example/b.png',
      '[B](https://o.example/b.png) ![A][a]\n\n[a]: /media/posts/here/a.png\n[b]: https://o.example/b.png',
    ],
    ['[![B](https://o.example/b.svg)](https://o.example/ci)', '[B](https://o.example/ci)'],
    ['[![](https://o.example/b.svg)](https://o.example/ci)', '[Image](https://o.example/ci)'],
    [
      '[![B][b]][ci]\n\n[b]: https://o.example/b.svg\n[ci]: https://o.example/ci',
      '[B][ci]\n\n[b]: https://o.example/b.svg\n[ci]: https://o.example/ci',
    ],
    [`[${raw}](https://o.example/ci)`, '[B](https://o.example/ci)'],
    [`<a href="https://o.example/ci">${raw}</a>`, '<a href="https://o.example/ci">B</a>'],
    [
      '<a href="https://o.example/ci">![B](https://o.example/b.png)</a>',
      '<a href="https://o.example/ci">B</a>',
    ],
    [raw, link],
    [`Text ${raw} text.`, `Text ${link} text.`],
    ["<IMG ALT='B' SRC='https://o.example/b.png'>", link],
    ['<p><IMG ALT=B SRC=https://o.example/b.png></p>', `<p>${link}</p>`],
    ["<p><img/alt='B'/src='https://o.example/b.png'></p>", `<p>${link}</p>`],
    ['<image src="https://o.example/b.png" alt="B">', link],
    ['<img src="https://o.example/b.png">', '<a href="https://o.example/b.png">Image</a>'],
    [
      '<img src="https://o.example/b.png" alt="a <i>*">',
      '<a href="https://o.example/b.png">a &#60;i>&#42;</a>',
    ],
    ['<img src="a.png" srcset="https://o.example/b.png 2x">', '<img src="/media/posts/here/a.png">'],
    [`<picture><source srcset="https://o.example/c.png">${raw}</picture>`, link],
    [`<video poster="https://o.example/c.png" src="https://o.example/c.mp4">${raw}</video>`, link],
    [`<object data="https://o.example/c.svg">${raw}</object>`, link],
    ['<svg><image href="https://o.example/c.png"/></svg>', ''],
    ['<p style="background: url(https://o.example/c.png)">B</p>', '<p>B</p>'],
    [`> ${raw}\n> ![B](https://o.example/b.png)`, `> ${link}\n> [B](https://o.example/b.png)`],
    ['> <img\n> alt="B"\n> src="https://o.example/b.png">', `> ${link}`],
    [`- ${raw}\n  ![B](https://o.example/b.png)`, `- ${link}\n  [B](https://o.example/b.png)`],
    [`| a |\n|---|\n| ${raw} |`, `| a |\n|---|\n| ${link} |`],
    [`[^1]\n\n[^1]: ${raw}`, `[^1]\n\n[^1]: ${link}`],
    [
      '<iframe src="https://o.example"></iframe>\n![B](https://o.example/b.png)',
      '[B](https://o.example/b.png)',
    ],
  ])('become links: %j', async (source, expected) => {
    const { body, html, warnings } = await prepare(source, more);
    expect(body).toBe(expected);
    expect(html?.match(/<img src="(?!\/media\/)/)).toBeNull();
    expect(html).not.toMatch(/<a [^>]*>[^<]*<a |\]\(/);
    expect(warnings.length).toBeGreaterThan(0);
  });
});

describe('raw HTML', () => {
  it('is removed, and the text after it is resolved like other text', async () => {
    const { body, html, warnings } = await prepare(
      '<iframe src="https://o.example"></iframe>\n![gone](gone.png) [a](./dead.md)\n[x](javascript:alert(1))\n\n' +
        '> <script>alert(1)</script> [b](./dead.md)\n\n<p>\n<a href="dead" onclick="x()">c</a></p>',
    );
    expect(body).toBe('gone a\nx\n\n>  b\n\n<p>\n<a>c</a></p>');
    expect(html).not.toContain('href');
    expect(warnings.toSorted()).toEqual([
      'posts/here/index.md:10: raw HTML <script> is not allowed; removed',
      'posts/here/index.md:10: “./dead.md” does not exist on this site; link removed, text kept',
      'posts/here/index.md:12: raw HTML onclick is not allowed; removed',
      'posts/here/index.md:12: “dead” does not exist on this site; link removed, text kept',
      'posts/here/index.md:6: raw HTML <iframe> is not allowed; removed',
      'posts/here/index.md:7: the image “gone.png” is not in the content folder; replaced with its alt text',
      'posts/here/index.md:7: “./dead.md” does not exist on this site; link removed, text kept',
      'posts/here/index.md:8: links to “javascript:” are not allowed; link removed, text kept',
    ]);
  });
});

describe('missing images', () => {
  it.each([
    ['![B](gone.png)', 'B'],
    ['![B][b]\n\n[b]: gone.png', 'B\n\n[b]: #'],
    ['<img src="gone.png" alt="B">', 'B'],
    ['[![B](gone.png)](/developers)', '[B](/developers)'],
  ])('become their alt text: %j', async (source, expected) => {
    const { body, html, warnings } = await prepare(source);
    expect(body).toBe(expected);
    expect(html).not.toContain('<img');
    expect(warnings).toEqual([
      expect.stringMatching(
        /^posts\/here\/index\.md:\d: the image “gone\.png” is not in the content folder; /,
      ),
    ]);
  });
});

describe('links and images of a site that the content comes from', () => {
  const more = {
    'blog/moved.md': post('Moved.', 'title: M\ndate: 2026-01-31\nslug: moved-here\naliases: [/old/name/]'),
    'blog/bundle/index.md': post('Bundle.', 'title: B\ndate: 2026-01-31\nslug: other-name'),
    'blog/bundle/images/a.png': PIXEL_PNG,
    'blog/configuration.md': post('A post.', 'title: C\ndate: 2026-01-31'),
    'public/assets/b.png': PIXEL_PNG,
  };
  const oldSite = new URL('https://www.old.example/site/');

  it.each([
    ['[x](/2026/01/31/moved/#part)', '[x](/blog/moved-here#part)'],
    ['[x](/old/name.html#part)', '[x](/blog/moved-here#part)'],
    ['[x](https://old.example/blog/moved/?a=b#part)', '[x](/blog/moved-here?a=b#part)'],
    ['[x](//old.example/site/blog/moved.html)', '[x](/blog/moved-here)'],
    ['![x](/blog/other-name/images/a.png)', '![x](/media/blog/bundle/images/a.png)'],
    ['![x](/site/blog/bundle/images/a.png)', '![x](/media/blog/bundle/images/a.png)'],
    ['![x](https://old.example/assets/b.png)', '![x](/media/public/assets/b.png)'],
    ['[x](/docs/configuration/)', '[x](https://www.old.example/docs/configuration/)'],
    ['[x](https://old.example/docs/configuration/)', undefined],
    ['[x](https://other.example/blog/moved/)', undefined],
    ['[x](/developers)', undefined],
    ['[x](https://www.old.example.evil.example/blog/moved/)', undefined],
  ])('maps %s', async (source, expected) => {
    expect(await prepare(source, more, { oldSite })).toMatchObject({
      body: expected ?? source,
      warnings: [],
    });
  });

  it('links images that only the old site has, and keeps relative links as text', async () => {
    const { body, warnings } = await prepare('![x](/img/c.png) [y](../nowhere/)', more, { oldSite });
    expect(body).toBe('[x](https://www.old.example/img/c.png) y');
    expect(warnings).toEqual([
      'posts/here/index.md:6: the image https://www.old.example/img/c.png is on another site; replaced with a link. Add the file to the content folder to show it',
      'posts/here/index.md:6: “../nowhere/” does not exist on this site; link removed, text kept',
    ]);
  });

  it('does not let a backslash choose the host', async () => {
    const { body, warnings } = await prepare(String.raw`[x](/\\evil.example/a)`, more, { oldSite });
    expect(body).toBe('x');
    expect(warnings).toHaveLength(1);
  });

  it('resolves the files of page bundles without an old site, and no page of the same name', async () => {
    const source = '![x](/blog/other-name/images/a.png) [y](/blog/moved/) [z](/docs/configuration/)';
    expect(await prepare(source, more)).toMatchObject({
      body: '![x](/media/blog/bundle/images/a.png) [y](/blog/moved-here) z',
      warnings: [
        'posts/here/index.md:6: “/docs/configuration/” does not exist on this site; link removed, text kept',
      ],
    });
  });
});

describe('links to drafts, categories and tags', () => {
  const draft = (body: string) =>
    post(body, 'title: Secret\ndate: 2026-01-31\ndraft: true\ncategory: Kernel\ntags: [hidden]');
  const more = {
    'posts/secret.md': draft('Text.'),
    'posts/there.md': post('There.', 'title: T\ndate: 2026-01-31\ncategory: Field notes\ntags: ["C++", gpu]'),
  };

  it.each([
    '[x](../secret.md)',
    '[x](/blog/secret)',
    '[x](/blog/tag/nope)',
    '[x](/blog/category/nope)',
    '[x](/blog/category/gpu)',
    '[x](/blog/tag/there)',
    '[x](/blog/tag/hidden)',
    '[x](/blog/category/kernel)',
  ])('removes the link in %s', async (source) => {
    const { body, warnings } = await prepare(source, more);
    expect(body).toBe('x');
    expect(warnings).toEqual([
      expect.stringMatching(/^posts\/here\/index\.md:6: “.*” does not exist on this site; /),
    ]);
  });

  it.each([
    '/blog/tag/gpu',
    '/blog/tag/gpu.md',
    '/blog/tag/c-plus-plus/',
    '/blog/category/field-notes#part',
    '/blog/category/field%2Dnotes',
  ])('keeps a link to %s', async (path) => {
    expect(await prepare(`[x](${path})`, more)).toMatchObject({ body: `[x](${path})`, warnings: [] });
  });

  it('keeps links between drafts', async () => {
    const { warnings } = await prepare('Text.', {
      ...more,
      'posts/second.md': draft('[x](secret.md) [y](/blog/tag/hidden) [z](/blog/tag/gpu)'),
    });
    expect(warnings).toEqual([]);
  });
});

describe('rendered HTML', () => {
  it('highlights code with classes, except in unknown languages', async () => {
    const { html } = await prepare('```sql\nSELECT 1\n```\n\n```promql\nup == 1\n```');
    expect(html).toContain(
      '<pre tabindex="0" data-language="sql"><code class="hljs language-sql"><span class="hljs-keyword">SELECT</span>',
    );
    expect(html).toContain('<code class="hljs language-promql">up == 1\n</code>');
  });

  it('highlights shell as a script and console as a session, and does not label plain text', async () => {
    const { html } = await prepare(
      '```shell\nfor x in 1; do :; done\n```\n\n```console\n$ ls\n```\n\n```text\nx\n```',
    );
    expect(html).toContain(
      'data-language="shell"><code class="hljs language-shell"><span class="hljs-keyword">for',
    );
    expect(html).toContain('<span class="hljs-meta prompt_">$ </span>');
    expect(html).toContain('<pre tabindex="0"><code class="hljs language-text">x');
  });

  it('supports scrollable tables, footnotes, labeled task lists and callouts', async () => {
    const { html } = await prepare(
      '# One\n\n## Two\n\n| a | b |\n|---|--:|\n| 1 | 2 |\n\nText[^1].\n\n- [x] done\n\n> [!NOTE]\n> Mind.\n\n[^1]: Note.\n',
    );
    expect(html).toContain('<h2 id="one">One</h2>');
    expect(html).toContain('<h3 id="two">Two</h3>');
    expect(html).toMatch(/<div class="table" tabindex="0" role="region" aria-label="Table 1"><table>/);
    expect(html).toContain('<td align="right">2</td>');
    expect(html).toMatch(/<a href="#user-content-fn-1" id="user-content-fnref-1"/);
    expect(html).toMatch(/<li id="user-content-fn-1">/);
    expect(html).toContain('aria-label="done"');
    expect(html).toMatch(/<blockquote class="callout note">\s*<p class="callout-title">Note<\/p>/);
  });

  it('renders an empty corner cell as td and images in table cells with their size', async () => {
    const { html } = await prepare('|   | b |\n|---|---|\n| ![A](a.png) | 2 |', {
      'posts/here/a.png': PIXEL_PNG,
    });
    expect(html).toMatch(/<tr>\s*<td><\/td>\s*<th>b<\/th>/);
    expect(html).toContain('alt="A" width="1" height="1"');
  });

  it('closes gaps between heading levels and removes or labels links without text', async () => {
    const { html } = await prepare(
      '### First\n\n##### Deep\n\n## Up\n\n[](/developers) [![](a.png)](/developers)',
      {
        'posts/here/a.png': PIXEL_PNG,
      },
    );
    expect(html?.match(/<h\d/g)).toEqual(['<h2', '<h3', '<h2']);
    expect(html?.match(/<a [^>]*>/g)).toEqual(['<a href="/developers" aria-label="Image">']);
  });

  it('has no images and relative links except those of the site', () => {
    const body = parseMarkdown('<a href="gone"><img src="https://o.example/b.png" alt="B"></a>');
    expect(renderPost(body, new Map())).toBe('<p>B</p>');
  });

  it('renders an image with its size, and a single image with a title as a figure', async () => {
    const { html } = await prepare('![A](a.png "Caption")', { 'posts/here/a.png': PIXEL_PNG });
    expect(html).toBe(
      '<figure><img src="/media/posts/here/a.png" alt="A" width="1" height="1" loading="lazy" decoding="async">' +
        '<figcaption>Caption</figcaption></figure>',
    );
  });
});

const HARMLESS =
  'a b blockquote br code details div em figcaption figure h2 h3 i img li ol p pre section span strong sub summary sup ' +
  'table tbody td th thead tr ul input';

describe('hostile content', () => {
  it.each([
    ['<script>alert(1)</script>'],
    ['Inline <script>alert(1)</script> text'],
    ['<SCRIPT SRC=https://evil.example/x.js></SCRIPT>'],
    ['<img src=x onerror=alert(1)>'],
    ['<img src="https://example.org/pixel.gif">'],
    ['<a href="javascript:alert(1)">x</a>'],
    ['<a href="jav&#x09;ascript:alert(1)">x</a>'],
    ['<a href=" &#14; javascript:alert(1)">x</a>'],
    ['[x](javascript:alert(1))'],
    ['[x](JaVaScRiPt:alert(1))'],
    ['[x](<java\tscript:alert(1)>)'],
    ['[x](data:text/html;base64,PHNjcmlwdD4=)'],
    ['[x](vbscript:msgbox(1))'],
    ['[x]: javascript:alert(1)\n\n[x]'],
    ['<javascript:alert(1)>'],
    ['![x](javascript:alert(1))'],
    ['![x](data:image/svg+xml;base64,PHN2Zz4=)'],
    ['<svg onload=alert(1)><script>alert(1)</script></svg>'],
    ['<svg><a xlink:href="javascript:alert(1)"><text>x</text></a></svg>'],
    ['<math><mtext></mtext><mglyph><style><img src=x onerror=alert(1)></style></math>'],
    ['<iframe src="https://evil.example"></iframe>'],
    ['<iframe srcdoc="<script>alert(1)</script>">'],
    ['<object data="x"></object><embed src="x">'],
    ['<form action="https://evil.example"><input name=q><button>x</button></form>'],
    ['<style>body { display: none }</style>'],
    ['<p style="position:fixed">x</p>'],
    [
      '<link rel=stylesheet href=https://evil.example/x.css><meta http-equiv=refresh content="0;url=https://evil.example"><base href="https://evil.example">',
    ],
    ['<details open ontoggle=alert(1)><summary>x</summary></details>'],
    ['<div><b><i>never closed <a href="x"'],
    ['</main></body></html><h1>After the end</h1>'],
    ['<!--><script>alert(1)</script>-->'],
    ['<![CDATA[<script>alert(1)</script>]]>'],
    ['<noscript><p title="</noscript><img src=x onerror=alert(1)>"></noscript>'],
    ['<template><script>alert(1)</script></template>'],
    ['<a id="x" name="y" class="site-header" tabindex="9">x</a>'],
    ['```html" onmouseover="alert(1)\nx\n```'],
    ['| <img src=x onerror=alert(1)> |\n|---|\n| <script>alert(1)</script> |'],
    ['{{< figure src="javascript:alert(1)" caption="\\"><script>alert(1)</script>" >}}'],
    ['[^1]\n\n[^1]: <img src=x onerror=alert(1)>'],
  ])('sanitizes %s', async (source) => {
    const { html = '' } = await prepare(`Before.\n\n${source}\n\nAfter.`);
    const elements: Element[] = [];
    visit(unified().use(rehypeParse, { fragment: true }).parse(html), 'element', (node) => {
      elements.push(node);
    });
    for (const { tagName, properties } of elements) {
      expect(HARMLESS).toContain(tagName);
      for (const [name, value] of Object.entries(properties)) {
        expect(name).not.toMatch(/^(on.*|style|srcSet|srcDoc|action)$/i);
        if (name === 'href') expect(value).toMatch(/^(https:\/\/example\.org|#|\/)/);
        if (name === 'src') expect(value).toMatch(/^\/media\//);
        if (name === 'tabIndex') expect(value).toBe(0);
      }
    }
    expect(html.startsWith('<p>Before.</p>')).toBe(true);
  });

  it('is removed from the markdown, except in code', async () => {
    const { body, warnings } = await prepare(
      'a <script>alert(1)</script> b\n\n<div onclick="x()">c</div>\n\n[d](javascript:x)\n\n`<script>` stays',
    );
    expect(body).toBe('a  b\n\n<div>c</div>\n\nd\n\n`<script>` stays');
    expect(warnings).toHaveLength(3);
  });
});

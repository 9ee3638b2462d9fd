import { parseMarkdown } from '../../src/content/markdown.ts';
import { visit } from 'unist-util-visit';
import { PIXEL_PNG, post } from '../support/content-folder.ts';
import { useWebsite } from '../support/website.ts';

const site = useWebsite({
  'a.md':
    post(`![One](https://o.example/1.png) ![Two][two] [![Three][two]](https://o.example/ci) ![Own](own.png)

<img src="https://o.example/4.png" alt="Four">
![Five](https://o.example/5.png) ![Gone](gone.png) [Dead](dead.md) [Script](javascript:alert(1))

> <picture><source srcset="https://o.example/6.png"><img src="https://o.example/6.png" alt="Six"></picture>

[two]: https://o.example/2.png`),
  'own.png': PIXEL_PNG,
});

const MARKDOWN: [string, () => Promise<string>][] = [
  ['the markdown twin', async () => (await site.get('/blog/a.md')).text],
  [
    'JSON',
    async () => (JSON.parse((await site.get('/api/posts/a')).text) as { post: { body: string } }).post.body,
  ],
  ['llms-full.txt', async () => (await site.get('/llms-full.txt')).text],
];

describe('images of other sites and links without a target', () => {
  it.each(['/blog/a', '/feed.xml'])('are not in %s, but their text is', async (path) => {
    const { text } = await site.get(path);
    const content = text.slice(text.indexOf('>One</a>'), text.indexOf('>Six</a>'));
    expect(content).toMatch(/One.*Two.*Three.*Own.*Four.*Five.*Gone Dead Script/s);
    expect(content.match(/<img src="[^"]*"/g)).toEqual([expect.stringContaining('/media/own.png')]);
    expect(content.match(/href="(?!https:\/\/o\.example\/)/)).toBeNull();
    expect(text).not.toMatch(/javascript:|\]\(/);
  });

  it.each(MARKDOWN)('are not in %s', async (_name, read) => {
    const markdown = await read();
    const images: string[] = [];
    visit(parseMarkdown(markdown), 'image', ({ url }) => void images.push(url));
    expect(images).toEqual(['https://site.example/media/own.png']);
    expect(markdown).toContain('[Three](https://o.example/ci)');
    expect(markdown).toContain('Gone Dead Script');
    expect(markdown).not.toMatch(/<img|<source|javascript:/);
  });
});

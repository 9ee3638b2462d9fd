import { readConfig } from '../../src/config/website.config.ts';
import { homeContent } from '../../src/pages/home/home-content.ts';
import { homeHtml } from '../../src/pages/home/home.html.tsx';
import { homeMarkdown } from '../../src/pages/home/home.markdown.ts';
import { post } from '../support/content-folder.ts';
import { send } from '../support/http.ts';
import { ADDRESSES, useWebsite } from '../support/website.ts';

const site = useWebsite();

const HTML = 'text/html; charset=utf-8';
const MARKDOWN = 'text/markdown; charset=utf-8';
const home = (accept?: string, more: Record<string, string> = {}) =>
  send(site.url, '/', { headers: { ...(accept === undefined ? {} : { accept }), ...more } });

describe('GET /', () => {
  it.each([
    [undefined, HTML],
    ['text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8', HTML],
    ['text/markdown', MARKDOWN],
  ])('for Accept %s returns %s', async (accept, contentType) => {
    const response = await home(accept);
    expect(response.status).toBe(200);
    expect(response.headers['content-type']).toBe(contentType);
    expect(response.headers.vary).toBe('Accept, Accept-Encoding');
    expect(response.headers['cache-control']).toBe(
      `${contentType === MARKDOWN ? 'private' : 'public'}, max-age=60, stale-while-revalidate=600`,
    );
  });

  it('has an entity tag per content type and returns 304 only for the negotiated type', async () => {
    const html = await home('text/html');
    const markdown = await home('text/markdown');
    expect(html.headers.etag).not.toBe(markdown.headers.etag);
    const unchanged = await home('text/markdown', { 'if-none-match': markdown.headers.etag ?? '' });
    expect(unchanged.status).toBe(304);
    expect(unchanged.headers).toMatchObject({
      etag: markdown.headers.etag,
      vary: 'Accept, Accept-Encoding',
      'cache-control': markdown.headers['cache-control'],
    });
    const otherType = await home('text/html', { 'if-none-match': markdown.headers.etag ?? '' });
    expect(otherType.status).toBe(200);
  });

  it('shows the console in light and dark, from its own files', async () => {
    const { text } = await home();
    const pictures = [...text.matchAll(/(?:src|srcset)="(\/assets\/console-[^"]+)"/g)].map(
      ([, path]) => path!,
    );
    expect(pictures).toHaveLength(2);
    for (const path of pictures) {
      const picture = await site.get(path);
      expect(picture.headers['content-type']).toBe('image/png');
      expect(picture.bytes.length).toBeLessThan(200_000);
    }
  });

  it('has an image for previews of links', async () => {
    const { text } = await home();
    const image = /<meta property="og:image" content="https:\/\/site\.example([^"]+)"/.exec(text)?.[1] ?? '';
    expect((await site.get(image)).headers['content-type']).toBe('image/png');
  });

  it.each([
    [
      'https://app.example',
      ['<a class="button" href="https://app.example">Sign in</a>', '[Sign in](https://app.example)'],
    ],
    [undefined, []],
  ])('with SIGN_IN_URL %s links to it', (signInUrl, expected) => {
    const environment = {
      ...ADDRESSES,
      DATABASE_URL: 'postgres://role@127.0.0.1/site',
      SIGN_IN_URL: signInUrl,
    };
    const content = homeContent(readConfig(environment).site, undefined);
    const found = [homeHtml(content), homeMarkdown(content)].flatMap(
      (page) => page.match(/<a class="button"[^>]*>Sign in<\/a>|\[Sign in\]\([^)]*\)/g) ?? [],
    );
    expect(found).toEqual(expected);
  });

  it('ignores tracking parameters', async () => {
    expect((await site.get('/?utm_source=letter')).status).toBe(200);
  });

  it('loads assets with fingerprinted names and immutable caching', async () => {
    const { text } = await home();
    const [path = ''] = /\/assets\/site-[0-9a-f]{10}\.css/.exec(text) ?? [];
    const stylesheet = await site.get(path);
    expect(stylesheet.headers['content-type']).toBe('text/css; charset=utf-8');
    expect(stylesheet.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    const otherRelease = await site.get('/assets/site-0123456789.css');
    expect(otherRelease.text).toBe(stylesheet.text);
    expect(otherRelease.headers['cache-control']).toBe('public, max-age=60, stale-while-revalidate=600');
  });
});

describe('the newest posts', () => {
  it('are three in HTML and markdown and follow the content', async () => {
    expect((await home()).text).not.toContain('Newest research');
    await site.publish({
      ...Object.fromEntries(
        [1, 2, 3, 4].map((day) => [`${day}.md`, post('Text.', `title: Post ${day}\ndate: 2026-01-0${day}`)]),
      ),
    });
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    const [html, markdown] = [await home('text/html'), await home('text/markdown')];
    expect([...html.text.matchAll(/<a href="\/blog\/\d">(Post \d)</g)].map(([, title]) => title)).toEqual([
      'Post 4',
      'Post 3',
      'Post 2',
    ]);
    expect(markdown.text).toContain(`## Newest research

- [Post 4](https://site.example/blog/4.md), 2026-01-04, 1 min read: Text.
- [Post 3](https://site.example/blog/3.md), 2026-01-03, 1 min read: Text.
- [Post 2](https://site.example/blog/2.md), 2026-01-02, 1 min read: Text.
- [All research](https://site.example/blog.md)
`);
  });
});

describe('GET /index.md', () => {
  it('has the content of the HTML', async () => {
    const [html, markdown] = [await home('text/html'), await home('text/markdown')];
    const shown = html.text
      .replace(/<[^>]+>/g, ' ')
      .replaceAll('&quot;', '"')
      .replaceAll('&lt;', '<')
      .replaceAll('&amp;', '&');
    const { identity, headline, healthStates, services, signIn, firstCall, machineResources } = homeContent(
      readConfig({ ...ADDRESSES, DATABASE_URL: 'postgres://role@host/database' }).site,
      undefined,
    );
    const contents = [
      identity.name,
      identity.description,
      headline,
      identity.contact.email,
      ...identity.when_to_use,
      ...healthStates.flatMap(({ health, meaning }) => [health, meaning]),
      ...services.flatMap(({ name, apiUrl, purpose, access }) => [name, apiUrl, purpose, access]),
      signIn,
      firstCall,
      ...machineResources.flatMap(({ title, description }) => [title, description]),
    ];
    for (const text of contents) {
      expect(shown).toContain(text);
      expect(markdown.text).toContain(text);
    }
  });
});

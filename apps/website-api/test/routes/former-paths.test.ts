import { post } from '../support/content-folder.ts';
import { send } from '../support/http.ts';
import { useWebsite } from '../support/website.ts';

const front = (title: string, aliases: string, date = '2026-01-31') =>
  `title: ${title}\ndate: ${date}\naliases: [${aliases}]`;

const site = useWebsite({
  'moved.md': post(
    'Moved.',
    front('Moved', '/2019/01/old-name/, /blog/old-slug, /café.html, /shared, /contact'),
  ),
  'zebra.md': post('Zebra.', front('Zebra', '/shared')),
  'scheduled.md': post('Later.', front('Later', '/later', '2999-01-01')),
});

// Unknown paths do not wait for the content that the service loads at its start.
beforeAll(() => site.get('/blog'));

describe('an earlier path of a post', () => {
  it.each([
    ['/2019/01/old-name', '/blog/moved'],
    ['/2019/01/old-name/', '/blog/moved'],
    ['/2019/01/old-name/index.html', '/blog/moved'],
    ['/2019/01/old-name.html?utm=x', '/blog/moved?utm=x'],
    ['/2019/01/old-name.md', '/blog/moved.md'],
    ['/blog/old-slug', '/blog/moved'],
    ['/blog/old-slug.md', '/blog/moved.md'],
    ['/caf%C3%A9', '/blog/moved'],
    ['/shared', '/blog/moved'],
  ])('%s redirects to %s', async (path, location) => {
    const { status, headers, text } = await site.get(path);
    expect({ status, text, ...headers }).toMatchObject({
      status: 301,
      text: '',
      location,
      vary: 'Accept, Accept-Encoding',
      'cache-control': 'public, max-age=60, stale-while-revalidate=600',
    });
    expect((await send(site.url, path, { method: 'HEAD' })).status).toBe(301);
  });

  it.each([
    ['GET', '/2019/01/other-name'],
    ['GET', '/2019/01/OLD-NAME'],
    ['POST', '/2019/01/old-name'],
    ['GET', '/later'],
  ])('%s %s returns 404', async (method, path) => {
    expect((await send(site.url, path, { method })).status).toBe(404);
  });

  it('does not replace a page of the site', async () => {
    expect((await site.get('/contact')).status).toBe(200);
  });

  it('redirects to the new slug after a sync', async () => {
    await site.publish({ 'renamed.md': post('Moved.', front('Moved', '/2019/01/old-name/, /blog/moved')) });
    const redirects = async () =>
      (await Promise.all(['/2019/01/old-name', '/blog/moved'].map((path) => site.get(path)))).map(
        ({ headers }) => headers.location,
      );
    while ((await redirects())[1] === undefined) await site.get('/');
    expect(await redirects()).toEqual(['/blog/renamed', '/blog/renamed']);
    expect((await site.get('/shared')).status).toBe(404);
  });
});

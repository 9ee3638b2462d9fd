import { prepareContent } from '../../src/content/prepare-content.ts';
import { contentFolder, PIXEL_PNG, post } from '../support/content-folder.ts';

const AT_ONCE = 'at once';

/** Returns the date from which each published file is visible. */
async function published(files: Record<string, string>, media: string[]) {
  const pictures = Object.fromEntries(media.map((path) => [path, PIXEL_PNG]));
  await using folder = await contentFolder({ ...files, ...pictures });
  const { content, findings } = await prepareContent(folder.path);
  expect(findings.errors).toEqual([]);
  for (const _post of content.prepare());
  return Object.fromEntries(
    content
      .media()
      .map(({ path, visibleFrom }) => [path, visibleFrom?.toISOString().slice(0, 10) ?? AT_ONCE]),
  );
}

const head = (date: string, more = '') => `title: T\ndate: ${date}${more}`;
const draft = (body: string, more = '') => post(body, head('2026-01-01', `\ndraft: true${more}`));

describe('media of drafts', () => {
  it('omits all files in the folder of a draft', async () => {
    const media = [
      'posts/secret/pic.png',
      'posts/secret/img/deep.png',
      'posts/secrets/pic.png',
      'posts/pic.png',
    ];
    expect(await published({ 'posts/secret/index.md': draft('![x](pic.png)') }, media)).toEqual({
      'posts/secrets/pic.png': AT_ONCE,
      'posts/pic.png': AT_ONCE,
    });
  });

  it.each([
    ['an image', draft('![x](pic.png)')],
    ['a link', draft('[x](pic.png)')],
    ['raw HTML', draft('<img src="pic.png" alt="x">')],
    ['front matter', draft('Text.', '\nimage: pic.png')],
  ])('omits a file that only drafts refer to with %s', async (_how, text) => {
    expect(await published({ 'secret.md': text }, ['pic.png', 'logo.png'])).toEqual({ 'logo.png': AT_ONCE });
  });

  it('publishes a file with the first published post that refers to it', async () => {
    const files = {
      'secret/index.md': draft('![x](pic.png) ![y](/logo.png)'),
      'open.md': post('![x](secret/pic.png) ![y](logo.png)', head('2026-02-01')),
    };
    expect(await published(files, ['secret/pic.png', 'logo.png'])).toEqual({
      'secret/pic.png': '2026-02-01',
      'logo.png': '2026-02-01',
    });
  });

  it('publishes the files of a post nested in the folder of a draft', async () => {
    const files = {
      'posts/index.md': draft('Text.'),
      'posts/open/index.md': post('Text.', head('2026-02-01')),
    };
    expect(await published(files, ['posts/open/img/pic.png', 'posts/pic.png'])).toEqual({
      'posts/open/img/pic.png': '2026-02-01',
    });
  });

  it('does not treat the content folder as the folder of a top-level draft', async () => {
    const files = { 'index.md': draft('Text.', '\nslug: top') };
    expect(await published(files, ['pic.png', 'static/logo.png'])).toEqual({
      'pic.png': AT_ONCE,
      'static/logo.png': AT_ONCE,
    });
  });
});

describe('media of posts', () => {
  it('become visible with the first post that uses them', async () => {
    const files = {
      'later/index.md': post('![x](/shared.png)', head('2999-01-01')),
      'sooner/index.md': post('![x](/shared.png)', head('2998-01-01')),
      'secret/index.md': draft('![x](/shared.png)'),
    };
    expect(await published(files, ['later/pic.png', 'sooner/pic.png', 'shared.png', 'logo.png'])).toEqual({
      'later/pic.png': '2999-01-01',
      'sooner/pic.png': '2998-01-01',
      'shared.png': '2998-01-01',
      'logo.png': AT_ONCE,
    });
  });
});

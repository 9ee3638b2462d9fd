import type { TestDatabase } from '@gpu-observatory/testing';
import type { RunningService } from '@gpu-observatory/service-runtime';
import pg from 'pg';
import { PIXEL_PNG, post } from '../support/content-folder.ts';
import { send } from '../support/http.ts';
import { createWebsiteDatabase, ownerUrl, publish, runtimeUrl, startWebsite } from '../support/website.ts';

let database: TestDatabase;
let website: RunningService;
let owner: pg.Client;

const scheduled = (date: string) => post('Text.', `title: Later\ndate: ${date}`);
const files = {
  'posts/open/index.md': post('![x](pic.png)'),
  'posts/open/pic.png': PIXEL_PNG,
  'posts/secret/index.md': post('![x](pic.png)', 'title: Secret\ndate: 2026-01-01\ndraft: true'),
  'posts/secret/pic.png': PIXEL_PNG,
  'posts/later/index.md': scheduled('2999-01-01'),
  'posts/later/pic.png': PIXEL_PNG,
  'logo.png': PIXEL_PNG,
};

beforeAll(async () => {
  database = await createWebsiteDatabase();
  website = await startWebsite(runtimeUrl(database));
  owner = new pg.Client({ connectionString: ownerUrl(database) });
  await owner.connect();
});

beforeEach(() => publish(database, files));

afterAll(async () => {
  await owner.end();
  await website.close();
  await database.drop();
});

const statusOf = async (path: string) => (await send(website.publicUrl, `/media/${path}`)).status;
const setVisibleIn = (path: string, seconds: number) =>
  owner.query("UPDATE website.media SET visible_from = now() + $2 * interval '1 second' WHERE path = $1", [
    path,
    seconds,
  ]);

describe('GET /media/{path}', () => {
  it.each([
    ['posts/open/pic.png', 200],
    ['logo.png', 200],
    ['posts/secret/pic.png', 404],
    ['posts/later/pic.png', 404],
  ])('returns for %s status %d', async (path, status) => {
    expect(await statusOf(path)).toBe(status);
  });

  it('serves a file from its visibility time on, cached or not', async () => {
    await setVisibleIn('posts/later/pic.png', -1);
    expect(await statusOf('posts/later/pic.png')).toBe(200);
    await setVisibleIn('posts/later/pic.png', 3_600);
    expect(await statusOf('posts/later/pic.png')).toBe(404);
  });

  it('stops serving a file whose post becomes a draft', async () => {
    expect(await statusOf('posts/open/pic.png')).toBe(200);
    const open = post('![x](pic.png)', 'title: Open\ndate: 2026-01-01\ndraft: true');
    await publish(database, { ...files, 'posts/open/index.md': open });
    expect(await statusOf('posts/open/pic.png')).toBe(404);
  });
});

import type { RunningService } from '@gpu-observatory/service-runtime';
import { committedSnapshot } from '@gpu-observatory/testing';
import type { TestDatabase } from '@gpu-observatory/testing';
import type { FastifyInstance } from 'fastify';
import { websiteApi } from '../src/website-api.ts';
import { send } from './support/http.ts';
import { ADDRESSES, createWebsiteDatabase, runtimeUrl, startWebsite } from './support/website.ts';

const routes = new Set<string>();
let database: TestDatabase;
let website: RunningService;

beforeAll(async () => {
  database = await createWebsiteDatabase();
  const definition: typeof websiteApi = {
    ...websiteApi,
    async extend(application, config, runtime) {
      const server = application.getHttpAdapter().getInstance() as unknown as FastifyInstance;
      server.addHook('onRoute', ({ method, url }) => {
        for (const one of [method].flat()) routes.add(`${one} ${url}`);
      });
      await websiteApi.extend?.(application, config, runtime);
    },
  };
  website = await startWebsite(runtimeUrl(database), definition, { TRUSTED_PROXIES: '127.0.0.1/32' });
});

afterAll(async () => {
  await website.close();
  await database.drop();
});

describe('the OpenAPI document', () => {
  it('matches the committed file', async () => {
    const served = await send(website.publicUrl, '/openapi.json');
    expect(served.headers['content-type']).toMatch(/^application\/json/);
    const actual = `${JSON.stringify(JSON.parse(served.text), null, 2)}\n`;
    expect(actual).toBe(committedSnapshot(new URL('../openapi.json', import.meta.url), actual));
  });
});

test('the API reference has the configured URL, never a header of the request', async () => {
  for (const path of ['/docs', '/docs.md']) {
    const headers = { host: 'evil.example', 'x-forwarded-host': 'evil.example' };
    for (const response of [
      await send(website.publicUrl, path, { headers }),
      await send(website.publicUrl, path),
    ]) {
      expect(response.text).toContain(`${ADDRESSES.SITE_URL}/api/posts`);
      expect(response.text).not.toContain('evil.example');
    }
  }
});

describe('public routes', () => {
  it('matches the committed file', () => {
    // Every GET route supports HEAD too.
    const lines = [...routes].filter((route) => !route.startsWith('HEAD ')).sort();
    const actual = `${lines.join('\n')}\n`;
    expect(actual).toBe(committedSnapshot(new URL('../public-routes.txt', import.meta.url), actual));
  });
});

import { committedSnapshot } from '@gpu-observatory/service-runtime';
import { validate } from '@readme/openapi-parser';
import type { FastifyInstance } from 'fastify';
import { fleetApi } from '../src/api/fleet-api.ts';
import { useFleetService } from './support/fleet-service.ts';

const routes = new Set<string>();
const fleet = useFleetService({
  definition: {
    ...fleetApi,
    extend: async (application) => {
      const server = application.getHttpAdapter().getInstance() as unknown as FastifyInstance;
      server.addHook('onRoute', ({ method, url }) => {
        for (const one of [method].flat()) routes.add(`${one} ${url}`);
      });
    },
  },
});

const served = async () => (await (await fleet.get('/openapi.json', null)).json()) as { openapi: string };

describe('the OpenAPI document', () => {
  it('equals the committed file', async () => {
    const actual = `${JSON.stringify(await served(), null, 2)}\n`;
    expect(actual).toBe(committedSnapshot(new URL('../openapi.json', import.meta.url), actual));
  });

  it('is valid OpenAPI 3.1', async () => {
    const document = await served();
    expect(document.openapi).toMatch(/^3\.1\./);
    expect(await validate(document as never)).toMatchObject({ valid: true });
  });

  it('is rendered as HTML and as markdown', async () => {
    const page = await fleet.get('/docs', null);
    expect(page.status).toBe(200);
    expect(page.headers.get('content-type')).toMatch(/^text\/html/);
    const markdown = await fleet.get('/docs.md', null);
    expect(markdown.headers.get('content-type')).toBe('text/markdown; charset=utf-8');
  });
});

test('the routes without authentication equal the committed list', async () => {
  const open: string[] = [];
  for (const route of [...routes].sort()) {
    const [method = '', path = ''] = route.split(' ');
    // Every GET route has a HEAD route.
    if (method === 'HEAD' || method === 'OPTIONS') continue;
    // Two colons in a route are a literal one.
    const url = `${fleet.running.publicUrl}${path.replaceAll('::', ':')}`;
    const response = await fetch(url, { method, redirect: 'manual' });
    await response.body?.cancel();
    if (response.status !== 401) open.push(route);
  }
  const actual = `${open.join('\n')}\n`;
  expect(actual).toBe(committedSnapshot(new URL('../public-routes.txt', import.meta.url), actual));
});

import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { committedSnapshot } from '@gpu-observatory/testing';
import type { FastifyInstance } from 'fastify';
import { useAccountService } from './support/running-account-service.ts';

const routes = new Set<string>();
const service = useAccountService({
  environment: { TRUSTED_PROXIES: '127.0.0.1/32' },
  beforeRoutes: (application) => {
    const server = application.getHttpAdapter().getInstance() as unknown as FastifyInstance;
    server.addHook('onRoute', ({ method, url }) => {
      for (const one of [method].flat()) routes.add(`${one} ${url}`);
    });
  },
});

describe('the OpenAPI document', () => {
  test('matches the committed document', async () => {
    const document = await (await service.get('/openapi.json')).json();
    const actual = `${JSON.stringify(document, null, 2)}\n`;
    expect(actual).toBe(committedSnapshot(new URL('../openapi.json', import.meta.url), actual));
  });

  test('is rendered with the configured URL, never with a header of the request', async () => {
    for (const path of ['/docs', '/docs.md']) {
      const headers = { host: 'evil.example', 'x-forwarded-host': 'evil.example' };
      const [response] = (await once(request(service.url, { path, headers }).end(), 'response')) as [
        IncomingMessage,
      ];
      const page = await text(response);
      expect(page).toContain(`${service.url}/api/v1/me`);
      expect(page).not.toContain('evil.example');
    }
  });
});

test('only the routes in public-routes.txt need no token', async () => {
  const publicRoutes: string[] = [];
  for (const route of [...routes].sort()) {
    const [method = '', path = ''] = route.split(' ');
    // Every GET route also has HEAD; listing both adds noise.
    if (method === 'HEAD' || method === 'OPTIONS') continue;
    const response = await fetch(`${service.url}${path}`, { method, redirect: 'manual' });
    // The token endpoint authenticates clients, whose credentials are not a token.
    const isBasic = response.headers.get('www-authenticate')?.startsWith('Basic ') ?? false;
    if (response.status !== 401 || isBasic) publicRoutes.push(route);
  }
  const actual = `${publicRoutes.join('\n')}\n`;
  expect(actual).toBe(committedSnapshot(new URL('../public-routes.txt', import.meta.url), actual));
});

import { committedSnapshot } from '@gpu-observatory/testing';
import { validate } from '@readme/openapi-parser';
import type { FastifyInstance } from 'fastify';
import { fleetApi } from '../src/api/fleet-api.ts';
import { useFleetService } from './support/fleet-service.ts';
import { sendRaw } from './support/raw-request.ts';

const ACCOUNT_URL = 'https://account.example.com';

const routes = new Set<string>();
const fleet = useFleetService({
  environment: { PUBLIC_URL: 'https://fleet.acme.example', TRUSTED_PROXIES: '127.0.0.1/32' },
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
    // The URL of the token endpoint is that of the deployment's account-service.
    const text = JSON.stringify(await served(), null, 2).replaceAll(fleet.account.url, ACCOUNT_URL);
    const actual = `${text}\n`;
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

  it('is rendered with the configured URL, never with a header of the request', async () => {
    for (const path of ['/docs', '/docs.md']) {
      const headers = { host: 'evil.example', 'x-forwarded-host': 'evil.example' };
      const { status, text } = await sendRaw(fleet.running.publicUrl, path, { headers });
      expect(status).toBe(200);
      expect(text).toMatch(/curl -G (?:&quot;|")https:\/\/fleet\.acme\.example\/api\/v1\/alerts/);
      expect(text).not.toContain('evil.example');
    }
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

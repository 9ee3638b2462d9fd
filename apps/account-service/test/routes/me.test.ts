import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { json } from 'node:stream/consumers';
import { useAccountService } from '../support/running-account-service.ts';

const service = useAccountService();
let token: string;

beforeAll(async () => {
  token = (await service.session('ada@acme.example')).access_token;
});

test('describes how to send a token when it is missing', async () => {
  const response = await service.get('/api/v1/me');
  expect(response.status).toBe(401);
  expect(response.headers.get('www-authenticate')).toMatch(/^Bearer/);
  expect(await response.json()).toEqual({
    title: 'Unauthorized',
    detail: 'Send the access token as "Authorization: Bearer <ACCESS_TOKEN>".',
  });
});

test('accepts a trailing slash', async () => {
  for (const path of ['/api/v1/me', '/api/v1/me/', '/api/v1/workspaces', '/api/v1/workspaces/']) {
    expect((await service.get(path, token)).status).toBe(200);
  }
});

test.each([
  ['GET', '/api/v1/me'],
  ['GET', '/api/v1/workspaces/'],
  ['GET', '/api/v1/auth/methods'],
  ['GET', '/api/v1/sessions'],
  ['DELETE', '/api/v1/sessions'],
  ['DELETE', '/api/v1/sessions/00000000-0000-4000-8000-000000000000'],
  ['GET', '/api/v1/keys'],
  ['POST', '/api/v1/keys'],
  ['POST', '/api/v1/keys/1/rotate'],
  ['DELETE', '/api/v1/keys/1'],
])('%s %s rejects query parameters, which it does not define', async (method, path) => {
  for (const query of ['x=1', 'x=', 'x=1&x=2']) {
    const response = await fetch(`${service.url}${path}?${query}`, {
      method,
      headers: { authorization: `Bearer ${token}` },
    });
    expect([response.status, await response.json()]).toEqual([
      400,
      { title: 'Invalid Request', detail: 'x is not accepted. Accepted: none.' },
    ]);
  }
});

test('an error message repeats only the start of long or many names', async () => {
  const names = Array.from({ length: 1_000 }, (_unused, index) => `n${index}=`).join('&');
  for (const path of [`/me?${names}`, `/me?${'x'.repeat(9_000)}=`, `/sessions/${'x'.repeat(9_000)}`]) {
    const method = path.startsWith('/me') ? 'GET' : 'DELETE';
    const headers = { authorization: `Bearer ${token}` };
    const response = await fetch(`${service.url}/api/v1${path}`, { method, headers });
    expect(response.status).toBe(400);
    const { detail } = (await response.json()) as { detail: string };
    expect(detail).toMatch(/x…|990 more/);
    expect(detail.length).toBeLessThan(500);
  }
});

test('GET /auth/methods lists the enabled methods', async () => {
  const response = await service.get('/api/v1/auth/methods');
  expect(await response.json()).toEqual({
    methods: [
      { id: 'github', type: 'oauth', name: 'GitHub', url: `${service.url}/api/v1/auth/github` },
      { id: 'google', type: 'oauth', name: 'Google', url: `${service.url}/api/v1/auth/google` },
    ],
  });
});

test.each([
  ['GET', '/api/v1/nothing'],
  ['PUT', '/api/v1/me'],
  ['GET', '/'],
])('an unknown path or method has the error format of the service: %s %s', async (method, path) => {
  const response = await fetch(service.url + path, { method });
  expect([response.status, response.headers.get('cache-control')]).toEqual([404, 'no-store']);
  expect(await response.json()).toEqual({ title: 'Not Found', detail: `Cannot ${method} ${path}` });
});

test.each(['/api/v1/auth/methods#x', '/api/v1/me?#', '/nowhere#'])(
  'a fragment in the URL is rejected and not cached: %s',
  async (path) => {
    const [response] = (await once(request(service.url, { path }).end(), 'response')) as [IncomingMessage];
    expect([response.statusCode, response.headers['cache-control']]).toEqual([400, 'no-store']);
    expect(await json(response)).toEqual({
      title: 'Invalid Request',
      detail: 'The URL contains a #; encode it as %23.',
    });
  },
);

test('the readable API reference cannot be framed and discloses no address', async () => {
  for (const path of ['/docs', '/docs.md', '/docs/reference.css']) {
    const { status, headers } = await service.get(path);
    expect(status).toBe(200);
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('strict-transport-security')).toBe('max-age=31536000');
  }
});

test('reports X-Forwarded-For without a trusted proxy in the readiness details', async () => {
  const checks = async () =>
    ((await (await fetch(`${service.running.managementUrl}/readyz`)).json()) as { checks: object }).checks;
  expect(await checks()).not.toHaveProperty('trusted-proxies');
  await service.get('/api/v1/me', token, { 'x-forwarded-for': '203.0.113.7' });
  await service.get('/api/v1/me', token, { 'x-forwarded-for': '203.0.113.8' });
  expect(await checks()).toHaveProperty(
    'trusted-proxies',
    'ok (X-Forwarded-For from 127.0.0.1 is ignored: TRUSTED_PROXIES is empty)',
  );
});

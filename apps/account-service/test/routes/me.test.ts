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

test.each<[method: string, path: string, accepted?: string]>([
  ['GET', '/api/v1/me'],
  ['GET', '/api/v1/workspaces/'],
  ['GET', '/api/v1/auth/methods'],
  ['GET', '/api/v1/sessions'],
  ['DELETE', '/api/v1/sessions'],
  ['DELETE', '/api/v1/sessions/00000000-0000-4000-8000-000000000000'],
  ['GET', '/api/v1/keys', 'page_size, page_token'],
  ['POST', '/api/v1/keys'],
  ['POST', '/api/v1/keys/1/rotate'],
  ['DELETE', '/api/v1/keys/1'],
])('%s %s rejects query parameters that it does not define', async (method, path, accepted = 'none') => {
  for (const query of ['x=1', 'x=', 'x=1&x=2']) {
    const response = await fetch(`${service.url}${path}?${query}`, {
      method,
      headers: { authorization: `Bearer ${token}` },
    });
    expect([response.status, await response.json()]).toEqual([
      400,
      { title: 'Invalid Request', detail: `x is not accepted. Accepted: ${accepted}.` },
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

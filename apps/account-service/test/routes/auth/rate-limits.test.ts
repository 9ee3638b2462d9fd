import { FRONTEND_URL, useAccountService } from '../../support/running-account-service.ts';

const service = useAccountService({
  environment: { RATE_LIMITS: 'true', TRUSTED_PROXIES: '127.0.0.1/32', PASSWORD_SIGN_IN: 'true' },
});

const from = (address: string) => ({ 'x-forwarded-for': address });

test.each<[string, number, (headers: Record<string, string>) => Promise<Response>, number]>([
  [
    'the start of a sign-in',
    60,
    (headers) => service.get(`/api/v1/auth/github?frontend_url=${FRONTEND_URL}`, undefined, headers),
    302,
  ],
  [
    'the callback',
    60,
    (headers) => service.get('/api/v1/auth/github/callback?state=x', undefined, headers),
    400,
  ],
  [
    'the exchange of a code',
    60,
    (headers) => service.post('/api/v1/auth/token', { code: 'x', redirect_uri: FRONTEND_URL }, headers),
    401,
  ],
  ['a sign-in with a password', 20, (headers) => service.post('/api/v1/auth/password', {}, headers), 400],
  ['a refresh', 300, (headers) => service.post('/api/v1/auth/refresh', { refresh_token: 'x' }, headers), 401],
  ['a sign-out', 300, (headers) => service.post('/api/v1/auth/logout', {}, headers), 204],
])('%s is limited by network', async (_, limit, send, otherwise) => {
  const responses: Response[] = [];
  for (let sent = 0; sent < limit; sent += 20) {
    responses.push(...(await Promise.all(Array.from({ length: 20 }, () => send(from('203.0.113.7'))))));
  }
  expect(responses.map(({ status }) => status)).toEqual(Array(limit).fill(otherwise));
  expect(responses[0]?.headers.get('ratelimit-limit')).toBe(String(limit));

  const rejected = await send(from('203.0.113.7'));
  expect(rejected.status).toBe(429);
  expect(rejected.headers.get('retry-after')).toMatch(/^[1-9]\d?$/);
  expect(rejected.headers.get('ratelimit-remaining')).toBe('0');
  expect(rejected.headers.get('ratelimit-reset')).toMatch(/^\d+$/);
  expect(await rejected.json()).toEqual({
    title: 'Too Many Requests',
    detail: expect.stringMatching(/^Too many requests; retry in \d+ s\.$/),
  });
  expect((await send(from('203.0.113.8'))).status).toBe(otherwise);
});

test('counts an exchange with malformed text', async () => {
  const post = () =>
    service.post('/api/v1/auth/token', { code: 'x', redirect_uri: '\0' }, from('203.0.113.9'));
  for (let sent = 0; sent < 60; sent += 1) expect((await post()).status).toBe(401);
  expect((await post()).status).toBe(429);
});

test('limits an IPv6 /64 as a whole, and a 429 burns no code', async () => {
  const post = (address: string, code: string) =>
    service.post('/api/v1/auth/token', { code, redirect_uri: FRONTEND_URL }, from(address));
  for (let sent = 0; sent < 60; sent += 1) await post(`2001:db8::${sent.toString(16)}`, 'x');
  const code = await service.signInForCode('ada@acme.example');
  expect((await post('2001:db8::ffff', code)).status).toBe(429);
  expect((await post('2001:db8:0:1::1', code)).status).toBe(200);
});

test('limits sign-ins by user, before a code is issued', async () => {
  for (let sent = 0; sent < 20; sent += 1) await service.signInForCode('alan@acme.example');
  await expect(service.signIn('alan@acme.example')).rejects.toThrow('429');
  await service.signInForCode('vera@acme.example');
});

test('limits key writes by user, from any network', async () => {
  const { access_token: ada } = await service.session('ada@acme.example');
  const { access_token: vera } = await service.session('vera@acme.example');
  const write = (token: string, address: number) =>
    service.post('/api/v1/keys/', {}, { authorization: `Bearer ${token}`, ...from(`203.0.113.${address}`) });
  for (let sent = 0; sent < 120; sent += 20) {
    const responses = await Promise.all(Array.from({ length: 20 }, (_, index) => write(ada, sent + index)));
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([400]));
  }
  expect((await write(ada, 200)).status).toBe(429);
  expect((await write(vera, 200)).status).toBe(400);
  expect((await service.get('/api/v1/keys/', ada)).status).toBe(200);
});

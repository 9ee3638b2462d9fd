import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { RunningAccountService } from '../support/running-account-service.ts';

let service: RunningAccountService;
let token: string;

beforeAll(async () => {
  service = await RunningAccountService.start();
  token = (await service.session('ada@acme.example')).access_token;
});

afterAll(() => service.stop());

test('says how to show a token when there is none', async () => {
  const answer = await service.get('/api/v1/me');
  expect(answer.status).toBe(401);
  expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer/);
  expect(await answer.json()).toEqual({
    title: 'Unauthorized',
    detail: 'Send the access token as "Authorization: Bearer <ACCESS_TOKEN>".',
  });
});

test('refuses tokens that are not of our keys, or of another kind', async () => {
  const [header, payload, signature] = token.split('.') as [string, string, string];
  const { privateKey, publicKey } = await generateKeyPair('ES256');
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Record<string, unknown>;
  const { kid } = JSON.parse(Buffer.from(header, 'base64url').toString()) as { kid: string };
  const sign = (head: object, body: Record<string, unknown> = claims) =>
    new SignJWT(body).setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid, ...head }).sign(privateKey);
  const none = Buffer.from(JSON.stringify({ alg: 'none', typ: 'at+jwt' })).toString('base64url');
  const forged = [
    await sign({}),
    await sign({ jwk: await exportJWK(publicKey) }),
    await sign({ jku: 'https://evil.example/jwks.json' }),
    await sign({ kid: 'unknown' }),
    `${none}.${payload}.`,
    `${header}.${payload}.`,
    `${header}.${payload}`,
    `${header}.${Buffer.from(JSON.stringify({ ...claims, sub: '2' })).toString('base64url')}.${signature}`,
    'x',
  ];
  for (const [method, path] of [
    ['GET', 'me'],
    ['GET', 'workspaces/'],
    ['GET', 'keys/'],
    ['POST', 'keys/'],
    ['POST', 'keys/1/rotate'],
    ['DELETE', 'keys/1'],
  ] as const) {
    for (const each of forged) {
      const headers = { authorization: `Bearer ${each}` };
      const answer = await fetch(`${service.url}/api/v1/${path}`, { method, headers });
      expect(answer.status).toBe(401);
      expect(await answer.json()).toEqual({
        title: 'Unauthorized',
        detail: 'The access token is not valid, has expired or was revoked.',
      });
    }
  }
});

test('answers with and without a trailing slash', async () => {
  for (const path of ['/api/v1/me', '/api/v1/me/', '/api/v1/workspaces', '/api/v1/workspaces/']) {
    expect((await service.get(path, token)).status).toBe(200);
  }
});

test('the sign-in methods that are enabled', async () => {
  const answer = await service.get('/api/v1/auth/methods');
  expect(await answer.json()).toEqual({
    methods: [
      { id: 'github', type: 'oauth', name: 'GitHub', url: `${service.url}/api/v1/auth/github` },
      { id: 'google', type: 'oauth', name: 'Google', url: `${service.url}/api/v1/auth/google` },
    ],
  });
});

test('a path that does not exist has the framework’s answer', async () => {
  const answer = await service.get('/api/v1/nothing', token);
  expect(answer.status).toBe(404);
  expect(await answer.json()).toMatchObject({ statusCode: 404, error: 'Not Found' });
});

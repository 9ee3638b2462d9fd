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

test('GET /auth/methods lists the enabled methods', async () => {
  const response = await service.get('/api/v1/auth/methods');
  expect(await response.json()).toEqual({
    methods: [
      { id: 'github', type: 'oauth', name: 'GitHub', url: `${service.url}/api/v1/auth/github` },
      { id: 'google', type: 'oauth', name: 'Google', url: `${service.url}/api/v1/auth/google` },
    ],
  });
});

test('an unknown path has the 404 response of the framework', async () => {
  const response = await service.get('/api/v1/nothing', token);
  expect(response.status).toBe(404);
  expect(await response.json()).toMatchObject({ statusCode: 404, error: 'Not Found' });
});

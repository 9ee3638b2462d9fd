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

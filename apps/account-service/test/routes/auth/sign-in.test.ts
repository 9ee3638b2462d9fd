import { createRemoteJWKSet, decodeProtectedHeader, jwtVerify } from 'jose';
import {
  FRONTEND_URL,
  useAccountService,
  type SessionTokens,
} from '../../support/running-account-service.ts';

const service = useAccountService();

describe.each(['github', 'google'] as const)('sign-in with %s', (provider) => {
  // The first provider of a user sets the name and the picture.
  const service = useAccountService();

  test('works from the first redirect to GET /me', async () => {
    const ended = await service.signIn('ada@acme.example', provider);
    expect(`${ended.origin}${ended.pathname}`).toBe(`${FRONTEND_URL}/auth/callback`);
    expect([...ended.searchParams.keys()]).toEqual(['code']);

    const exchange = await service.redeem(ended.searchParams.get('code') as string);
    expect(exchange.status).toBe(200);
    expect(exchange.headers.get('cache-control')).toBe('no-store');
    const tokens = (await exchange.json()) as SessionTokens;
    expect(tokens).toEqual({
      access_token: expect.any(String),
      refresh_token: expect.stringMatching(/^[\w-]{43}$/),
      token_type: 'Bearer',
      expires_in: 21600,
    });

    const me = await service.get('/api/v1/me', tokens.access_token);
    expect(await me.json()).toEqual({
      user: {
        id: 1,
        email: 'ada@acme.example',
        name: 'Ada Lovelace',
        avatar: `https://pictures.example/${provider}/ada-acme.png`,
      },
    });
    const workspaces = await service.get('/api/v1/workspaces/', tokens.access_token);
    expect(await workspaces.json()).toEqual({
      workspaces: [workspace(1, 'Research', 'owner'), workspace(2, 'Production', 'owner')],
    });
  });
});

test('the access token is an ES256 at+jwt with exactly the documented claims', async () => {
  const { access_token: token } = await service.session('ada@acme.example');
  const keys = createRemoteJWKSet(new URL(`${service.url}/.well-known/jwks.json`));
  const { payload } = await jwtVerify(token, keys, { issuer: service.url, audience: 'gpu-observatory' });
  expect(decodeProtectedHeader(token)).toEqual({ alg: 'ES256', typ: 'at+jwt', kid: expect.any(String) });
  expect(payload).toEqual({
    iss: service.url,
    aud: 'gpu-observatory',
    sub: '1',
    sid: expect.stringMatching(/^[0-9a-f-]{36}$/),
    jti: expect.stringMatching(/^[0-9a-f-]{36}$/),
    iat: expect.any(Number),
    exp: (payload.iat as number) + 21600,
    access: [{ customer_id: 1, workspace_ids: 'all' }],
  });
});

test('a later user gets the default role in the default workspace', async () => {
  const vera = await service.session('vera@acme.example');
  const response = await service.get('/api/v1/workspaces', vera.access_token);
  expect(await response.json()).toEqual({ workspaces: [workspace(1, 'Research', 'viewer')] });
});

function workspace(id: number, name: string, role: string) {
  return {
    id,
    name,
    role,
    customer_id: 1,
    customer_name: 'Acme',
    created_at: expect.stringMatching(/\.\d{3}Z$/),
  };
}

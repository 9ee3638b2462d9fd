import type { IdentityProvider } from '../src/index.ts';
import {
  type AuthorizationParameters,
  authorizationUrl,
  callbackUrl,
  redeem,
  signIn,
  startTestProvider,
} from './support/test-provider.ts';

let provider: IdentityProvider;

beforeAll(async () => {
  provider = await startTestProvider();
});
afterAll(() => provider.stop());

const callback = (parameters: AuthorizationParameters = {}) =>
  signIn(provider, 'github', 'ada@acme.example', parameters);
const code = async (parameters: AuthorizationParameters = {}) =>
  (await callback(parameters)).searchParams.get('code') ?? '';

async function token(scope: string | undefined): Promise<string> {
  const response = await redeem(provider, 'github', await code({ scope }), { accept: 'application/json' });
  return ((await response.json()) as { access_token: string }).access_token;
}

function get(url: string, authorization?: string): Promise<Response> {
  return fetch(url, { headers: authorization ? { authorization } : {} });
}

describe('GET /github/login/oauth/authorize', () => {
  it('redirects with code and state, and needs no response_type', async () => {
    const url = await callback({ response_type: undefined });
    expect(url.origin + url.pathname).toBe(callbackUrl);
    expect(url.searchParams.get('code')).toMatch(/^[\w-]{20,}$/);
    expect(url.searchParams.get('state')).toBe('state-of-the-client');
  });

  it.each([
    ['an unknown client', { client_id: 'unknown' }, 'invalid_client: client is invalid'],
    [
      'a redirect_uri that is not registered',
      { redirect_uri: `${callbackUrl}/else` },
      'invalid_redirect_uri: redirect_uri did not match any of the client',
    ],
  ])('shows an error page for %s, without a redirect', async (_, parameters, detail) => {
    const response = await fetch(authorizationUrl(provider, 'github', parameters), {
      redirect: 'manual',
      headers: { accept: 'text/html' },
    });
    expect(response.status).toBe(400);
    expect(await response.text()).toContain(detail);
  });
});

describe('POST /github/login/oauth/access_token', () => {
  it('returns a form with comma-separated scopes', async () => {
    const response = await redeem(provider, 'github', await code());
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/x-www-form-urlencoded; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(Object.fromEntries(new URLSearchParams(await response.text()))).toEqual({
      access_token: expect.stringMatching(/^gho_[\w-]{40,}$/),
      scope: 'read:user,user:email',
      token_type: 'bearer',
    });
  });

  const badCode = {
    error: 'bad_verification_code',
    error_description: 'The code passed is incorrect or expired.',
  };
  const badClient = {
    error: 'incorrect_client_credentials',
    error_description: 'The client_id and/or client_secret passed are incorrect.',
  };
  it.each([
    ['an unknown code', { code: 'unknown' }, badCode],
    ['another PKCE verifier', { code_verifier: 'a'.repeat(43) }, badCode],
    ['no PKCE verifier', { code_verifier: undefined }, badCode],
    ['a wrong secret', { client_secret: 'wrong' }, badClient],
    ['no secret', { client_secret: undefined }, badClient],
    ['an unknown client', { client_id: 'unknown' }, badClient],
    [
      'another redirect_uri',
      { redirect_uri: 'http://localhost:14002/else' },
      expect.objectContaining({ error: 'redirect_uri_mismatch' }),
    ],
  ])('rejects %s with status 200', async (_, fields, error) => {
    const response = await redeem(provider, 'github', await code(), {
      accept: 'application/json',
      ...fields,
    });
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual(error);
  });

  it('accepts a code only once, and returns JSON or a form as requested', async () => {
    const once = await code();
    const first = await redeem(provider, 'github', once, { accept: 'application/json' });
    expect(first.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(await first.json()).toEqual({
      access_token: expect.stringMatching(/^gho_/),
      scope: 'read:user,user:email',
      token_type: 'bearer',
    });
    const second = await redeem(provider, 'github', once);
    expect(Object.fromEntries(new URLSearchParams(await second.text()))).toEqual(badCode);
  });
});

describe('GET /github/api/user', () => {
  it.each(['Bearer', 'bearer', 'token'])('accepts the scheme %s', async (scheme) => {
    const response = await get(provider.github.userUrl, `${scheme} ${await token('read:user')}`);
    expect(response.headers.get('x-oauth-scopes')).toBe('read:user');
    expect(await response.json()).toEqual({
      login: 'ada-acme',
      id: 90000001,
      node_id: 'MDQ6VXNlcjkwMDAwMDAx',
      avatar_url: 'https://pictures.example/github/ada-acme.png',
      html_url: 'https://github.com/ada-acme',
      type: 'User',
      site_admin: false,
      name: 'Ada Lovelace',
      email: 'ada@acme.example',
    });
  });

  it('returns public information without a scope', async () => {
    const response = await get(provider.github.userUrl, `Bearer ${await token(undefined)}`);
    expect(response.status).toBe(200);
    expect(response.headers.get('x-oauth-scopes')).toBe('');
  });

  it.each([undefined, 'Bearer gho_unknown', 'Basic Z2l0aHVi', 'Bearer'])(
    'rejects %s',
    async (authorization) => {
      const response = await get(provider.github.userUrl, authorization);
      expect(response.status).toBe(401);
      expect(await response.json()).toMatchObject({ message: 'Bad credentials' });
    },
  );

  it('requires a User-Agent', async () => {
    const response = await fetch(provider.github.userUrl, {
      headers: { authorization: `Bearer ${await token('user')}`, 'user-agent': '' },
    });
    expect(response.status).toBe(403);
    expect(await response.json()).toMatchObject({ message: expect.stringContaining('User-Agent') });
  });
});

describe('GET /github/api/user/emails', () => {
  it.each(['user:email', 'user'])('lists the email addresses for the scope %s', async (scope) => {
    const response = await get(provider.github.emailsUrl, `Bearer ${await token(scope)}`);
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual([
      { email: 'ada@acme.example', primary: true, verified: true, visibility: 'public' },
    ]);
  });

  it.each(['read:user', undefined])('hides them from the scope %s', async (scope) => {
    const response = await get(provider.github.emailsUrl, `Bearer ${await token(scope)}`);
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ message: 'Not Found' });
  });

  it('rejects an unknown token', async () => {
    expect((await get(provider.github.emailsUrl, 'token gho_unknown')).status).toBe(401);
  });
});

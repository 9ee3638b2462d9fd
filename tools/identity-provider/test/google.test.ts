import { createPublicKey, verify, type JsonWebKeyInput } from 'node:crypto';
import { demoAccounts, type IdentityProvider } from '../src/index.ts';
import {
  type AuthorizationParameters,
  clients,
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
  signIn(provider, 'google', 'grace@globex.example', parameters);
const code = async (parameters: AuthorizationParameters = {}) =>
  (await callback(parameters)).searchParams.get('code') ?? '';

function decoded(part: string | undefined): Record<string, unknown> {
  return JSON.parse(Buffer.from(part ?? '', 'base64url').toString()) as Record<string, unknown>;
}

const grace = {
  sub: '100000000000090000004',
  name: 'Grace Hopper',
  given_name: 'Grace',
  family_name: 'Hopper',
  picture: 'https://pictures.example/google/grace-globex.png',
  email: 'grace@globex.example',
  email_verified: true,
  hd: 'globex.example',
};

describe('POST /google/token', () => {
  it('returns an access token and an ID token that the published key verifies', async () => {
    const response = await redeem(provider, 'google', await code({ nonce: 'n-1' }));
    const tokens = (await response.json()) as { id_token: string };
    expect(response.status).toBe(200);
    expect(tokens).toEqual({
      access_token: expect.stringMatching(/^[\w-]{40,}$/),
      id_token: expect.any(String),
      expires_in: 3600,
      scope: 'openid email profile',
      token_type: 'Bearer',
    });

    const discovery = await fetch(`${provider.url}/google/.well-known/openid-configuration`);
    const { issuer, jwks_uri } = (await discovery.json()) as Record<string, string>;
    const { keys } = (await (await fetch(String(jwks_uri))).json()) as { keys: JsonWebKeyInput['key'][] };
    const [header, payload, signature] = tokens.id_token.split('.');
    expect(decoded(header)).toMatchObject({ alg: 'RS256' });
    expect(decoded(payload)).toMatchObject({
      ...grace,
      iss: issuer,
      aud: clients.google.clientId,
      nonce: 'n-1',
    });
    const key = createPublicKey({ key: keys[0] ?? {}, format: 'jwk' });
    const signed = Buffer.from(`${header}.${payload}`);
    expect(verify('sha256', signed, key, Buffer.from(signature ?? '', 'base64url'))).toBe(true);
  });

  it('rejects another PKCE verifier', async () => {
    const response = await redeem(provider, 'google', await code(), { code_verifier: 'a'.repeat(43) });
    expect([response.status, await response.json()]).toEqual([
      400,
      expect.objectContaining({ error: 'invalid_grant' }),
    ]);
  });

  it("rejects GitHub's codes", async () => {
    const url = await signIn(provider, 'github', 'ada@acme.example');
    const response = await redeem(provider, 'google', url.searchParams.get('code') ?? '');
    expect(await response.json()).toMatchObject({ error: 'invalid_grant' });
  });
});

describe('GET /google/oauth2/v3/userinfo', () => {
  async function userinfo(scope: string): Promise<unknown> {
    const response = await redeem(provider, 'google', await code({ scope }));
    const { access_token: token } = (await response.json()) as { access_token: string };
    const { userInfoUrl } = provider.google;
    const inHeader = await fetch(userInfoUrl, { headers: { authorization: `Bearer ${token}` } });
    const inQuery = await fetch(`${userInfoUrl}?access_token=${token}`);
    const claims: unknown = await inHeader.json();
    expect(await inQuery.json()).toEqual(claims);
    return claims;
  }

  it.each(['openid email profile', 'email profile'])('returns all claims for the scope %s', async (scope) => {
    expect(await userinfo(scope)).toEqual(grace);
  });

  it("accepts Google's long scope names", async () => {
    const { sub, email, email_verified, hd } = grace;
    expect(await userinfo('https://www.googleapis.com/auth/userinfo.email')).toEqual({
      sub,
      email,
      email_verified,
      hd,
    });
  });

  it('returns only the subject for openid', async () => {
    expect(await userinfo('openid')).toEqual({ sub: demoAccounts[3]?.google.sub });
  });

  it.each([undefined, 'Bearer unknown'])('rejects %s', async (authorization) => {
    const response = await fetch(provider.google.userInfoUrl, {
      headers: authorization ? { authorization } : {},
    });
    expect(response.status).toBe(401);
    expect(await response.json()).toMatchObject({ error: 'invalid_token' });
  });
});

describe('GET /google/o/oauth2/v2/auth', () => {
  it('accepts every prompt', async () => {
    expect(await code({ prompt: 'select_account consent' })).toMatch(/^[\w-]{20,}$/);
    expect(await code({ prompt: 'login' })).toMatch(/^[\w-]{20,}$/);
  });

  it('redirects with login_required for prompt=none, since there are no sessions', async () => {
    const url = await callback({ prompt: 'none' });
    expect(url.searchParams.get('error')).toBe('login_required');
    expect(url.searchParams.get('state')).toBe('state-of-the-client');
  });
});

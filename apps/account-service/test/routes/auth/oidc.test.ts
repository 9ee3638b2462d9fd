import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type CryptoKey, exportJWK, generateKeyPair, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose';
import { beginSignIn, openCallback } from '../../support/partial-sign-in.ts';
import {
  FRONTEND_URL,
  oidcEnvironment,
  RunningAccountService,
} from '../../support/running-account-service.ts';

describe('with the local identity provider', () => {
  let service: RunningAccountService;

  beforeAll(async () => {
    service = await RunningAccountService.start({ environment: oidcEnvironment });
  });
  afterAll(() => service.stop());

  test('signs a user in, over discovery, PKCE, nonce and a signed ID token', async () => {
    const { access_token: token } = await service.session('vera@acme.example', 'oidc');
    expect(await (await service.get('/api/v1/me', token)).json()).toMatchObject({
      user: { email: 'vera@acme.example', name: expect.stringMatching(/./) },
    });
    const identities = await service.database.asOwner.query({
      text: 'SELECT provider, subject FROM account.user_identities',
    });
    expect(identities).toEqual([{ provider: 'oidc', subject: expect.stringMatching(/^\d{21}$/) }]);
  });

  test('joins the user of another provider with the same verified address', async () => {
    await service.session('alan@acme.example', 'github');
    await service.session('alan@acme.example', 'oidc');
    const users = await service.database.asOwner.query({
      text: `SELECT count(*)::integer AS count FROM account.users WHERE email = 'alan@acme.example'`,
    });
    expect(users).toEqual([{ count: 1 }]);
  });

  test('is listed with its name', async () => {
    expect(await (await service.get('/api/v1/auth/methods')).json()).toMatchObject({
      methods: [
        { id: 'github' },
        { id: 'google' },
        { id: 'oidc', type: 'oauth', name: 'Acme SSO', url: `${service.url}/api/v1/auth/oidc` },
      ],
    });
  });

  test('sends PKCE and a nonce', async () => {
    const { authorizationUrl } = await beginSignIn(service, 'oidc');
    expect(Object.fromEntries(authorizationUrl.searchParams)).toMatchObject({
      code_challenge_method: 'S256',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      scope: 'openid email profile',
    });
  });
});

type KeyPair = Record<'publicKey' | 'privateKey', CryptoKey>;

describe('with a scripted provider', () => {
  const CLIENT_ID = 'observatory';
  const CLIENT_SECRET = 'the-client-secret-of-the-scripted-provider';
  let service: RunningAccountService;
  let issuer: string;
  let keys: KeyPair;
  let foreignKeys: KeyPair;
  /** Response of the token endpoint. */
  let tokenResponse: object = {};

  const server = createServer((request, response) => {
    void respond(request.url ?? '').then((body) => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(body));
    });
  });

  async function respond(path: string): Promise<object> {
    if (path === '/jwks') return { keys: [{ ...(await exportJWK(keys.publicKey)), kid: 'k', alg: 'ES256' }] };
    if (path === '/token') return tokenResponse;
    return {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/jwks`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['ES256'],
      authorization_response_iss_parameter_supported: true,
    };
  }

  beforeAll(async () => {
    [keys, foreignKeys] = await Promise.all([generateKeyPair('ES256'), generateKeyPair('ES256')]);
    await once(server.listen(0, '127.0.0.1'), 'listening');
    issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    service = await RunningAccountService.start({
      environment: {
        OIDC_ISSUER: issuer,
        OIDC_CLIENT_ID: CLIENT_ID,
        OIDC_CLIENT_SECRET: CLIENT_SECRET,
        OIDC_ACR_VALUES: 'phr phrh',
      },
    });
  });
  afterAll(async () => {
    await service.stop();
    server.close();
    server.closeAllConnections();
  });

  const claims = (changes: JWTPayload): JWTPayload => ({
    iss: issuer,
    aud: CLIENT_ID,
    sub: 'ada',
    iat: Math.floor(Date.now() / 1000),
    exp: Math.floor(Date.now() / 1000) + 60,
    email: 'ada@acme.example',
    email_verified: true,
    acr: 'phr',
    ...changes,
  });
  const sign = (payload: JWTPayload, key = keys.privateKey) =>
    new SignJWT(payload).setProtectedHeader({ alg: 'ES256', kid: 'k' }).sign(key);

  /** Returns the query that the frontend receives. */
  async function outcome(
    idToken: (nonce: string) => Promise<string | undefined>,
    iss: string | null = issuer,
  ): Promise<string> {
    const attempt = await beginSignIn(service, 'oidc');
    expect(attempt.authorizationUrl.searchParams.get('acr_values')).toBe('phr phrh');
    const nonce = attempt.authorizationUrl.searchParams.get('nonce') ?? '';
    tokenResponse = { access_token: 'a', token_type: 'bearer', id_token: await idToken(nonce) };
    const callback = new URL(`${service.url}/api/v1/auth/oidc/callback?code=x&state=${attempt.state}`);
    if (iss !== null) callback.searchParams.set('iss', iss);
    const response = await openCallback(callback, attempt.cookie);
    return (response.headers.get('location') ?? `${response.status}`).replace(
      `${FRONTEND_URL}/auth/callback?`,
      '',
    );
  }

  test('accepts a valid ID token', async () => {
    expect(await outcome((nonce) => sign(claims({ nonce })))).toMatch(/^code=/);
    expect(await outcome((nonce) => sign(claims({ nonce, acr: 'phrh' })))).toMatch(/^code=/);
  });

  test.each<[string, (nonce: string) => Promise<string | undefined>]>([
    ['another nonce', () => sign(claims({ nonce: 'other' }))],
    ['no nonce', () => sign(claims({}))],
    ['another issuer', (nonce) => sign(claims({ nonce, iss: 'https://evil.example' }))],
    ['another audience', (nonce) => sign(claims({ nonce, aud: 'other' }))],
    ['two audiences without azp', (nonce) => sign(claims({ nonce, aud: [CLIENT_ID, 'other'] }))],
    ['an expired token', (nonce) => sign(claims({ nonce, exp: Math.floor(Date.now() / 1000) - 600 }))],
    ['a foreign signature', (nonce) => sign(claims({ nonce }), foreignKeys.privateKey)],
    ['no signature', (nonce) => Promise.resolve(new UnsecuredJWT(claims({ nonce })).encode())],
    [
      'a signature with the client secret',
      (nonce) =>
        new SignJWT(claims({ nonce }))
          .setProtectedHeader({ alg: 'HS256' })
          .sign(new TextEncoder().encode(CLIENT_SECRET)),
    ],
    ['no ID token', () => Promise.resolve(undefined)],
    ['no acr', (nonce) => sign(claims({ nonce, acr: undefined }))],
    ['another acr', (nonce) => sign(claims({ nonce, acr: 'pwd' }))],
    ['a sub with a space', (nonce) => sign(claims({ nonce, sub: 'a b' }))],
  ])('denies %s', async (_name, idToken) => {
    expect(await outcome(idToken)).toBe('error=provider_error');
  });

  test.each([null, 'https://evil.example'])('rejects the iss %s of the callback', async (iss) => {
    expect(await outcome((nonce) => sign(claims({ nonce })), iss)).toBe('error=provider_error');
  });

  test.each<[string, JWTPayload]>([
    ['an unverified address', { email_verified: false }],
    ['a missing email_verified', { email_verified: undefined }],
    ['an email_verified that is a string', { email_verified: 'true' }],
    ['no address', { email: undefined }],
  ])('denies %s', async (_name, changes) => {
    expect(await outcome((nonce) => sign(claims({ nonce, ...changes })))).toBe('error=email_not_verified');
  });
});

test('starts without the provider, responds with 503 until it is available with its own metadata', async () => {
  let status = 500;
  let metadataIssuer: string | undefined;
  const server = createServer((_request, response) => {
    const { port } = server.address() as AddressInfo;
    const issuer = `http://127.0.0.1:${port}`;
    response.statusCode = status;
    response.setHeader('content-type', 'application/json');
    response.end(
      JSON.stringify({ issuer: metadataIssuer ?? issuer, authorization_endpoint: `${issuer}/authorize` }),
    );
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const service = await RunningAccountService.start({
    environment: {
      OIDC_ISSUER: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      OIDC_CLIENT_ID: 'id',
      OIDC_CLIENT_SECRET: 'secret',
    },
  });
  try {
    const start = () => service.get(`/api/v1/auth/oidc?frontend_url=${encodeURIComponent(FRONTEND_URL)}`);
    expect((await start()).status).toBe(503);
    status = 200;
    metadataIssuer = 'https://evil.example';
    expect((await start()).status).toBe(503);
    metadataIssuer = undefined;
    expect((await start()).status).toBe(302);
  } finally {
    await service.stop();
    server.close();
    server.closeAllConnections();
  }
});

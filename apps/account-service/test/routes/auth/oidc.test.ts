import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type CryptoKey, generateKeyPair, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose';
import { beginSignIn } from '../../support/partial-sign-in.ts';
import {
  FRONTEND_URL,
  oidcEnvironment,
  RunningAccountService,
} from '../../support/running-account-service.ts';
import { CLIENT_ID, CLIENT_SECRET, ScriptedIssuer } from '../../support/scripted-issuer.ts';

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
      prompt: 'select_account',
    });
  });
});

describe('with a scripted provider', () => {
  let service: RunningAccountService;
  let issuer: ScriptedIssuer;
  let foreignKey: CryptoKey;

  beforeAll(async () => {
    issuer = await ScriptedIssuer.start();
    foreignKey = (await generateKeyPair('ES256')).privateKey;
    service = await RunningAccountService.start({
      environment: { ...issuer.environment, OIDC_ACR_VALUES: 'phr phrh' },
    });
  });
  afterAll(async () => {
    await service.stop();
    issuer.stop();
  });

  const claims = (changes: JWTPayload) => issuer.claims({ acr: 'phr', ...changes });
  const sign = (payload: JWTPayload, key?: CryptoKey) => issuer.sign(payload, key);
  const outcome = (idToken: (nonce: string) => Promise<string | undefined>, iss?: string | null) =>
    issuer.outcome(service, idToken, iss);

  test('requests the accepted acr values', async () => {
    const { authorizationUrl } = await beginSignIn(service, 'oidc');
    expect(authorizationUrl.searchParams.get('acr_values')).toBe('phr phrh');
  });

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
    ['an iat in the future', (nonce) => sign(claims({ nonce, iat: Math.floor(Date.now() / 1000) + 7_200 }))],
    ['a foreign signature', (nonce) => sign(claims({ nonce }), foreignKey)],
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
      OIDC_DOMAINS: 'acme.example',
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

test.each<[string, Record<string, unknown>, Record<string, string>, string | null]>([
  ['sends no prompt that the metadata excludes', { prompt_values_supported: ['none', 'login'] }, {}, null],
  ['sends prompt=login with OIDC_PROMPT=login', {}, { OIDC_PROMPT: 'login' }, 'login'],
  ['sends no prompt with OIDC_PROMPT=none', {}, { OIDC_PROMPT: 'none' }, null],
])('%s', async (_, metadata, settings, prompt) => {
  const issuer = await ScriptedIssuer.start();
  Object.assign(issuer.metadata, metadata);
  const service = await RunningAccountService.start({ environment: { ...issuer.environment, ...settings } });
  try {
    const { authorizationUrl } = await beginSignIn(service, 'oidc');
    expect(authorizationUrl.searchParams.get('prompt')).toBe(prompt);
  } finally {
    await service.stop();
    issuer.stop();
  }
});

import type { JWTPayload } from 'jose';
import { beginSignIn, openCallback } from '../../support/partial-sign-in.ts';
import { RunningAccountService } from '../../support/running-account-service.ts';
import { ScriptedIssuer } from '../../support/scripted-issuer.ts';

let service: RunningAccountService;
let issuer: ScriptedIssuer;

beforeAll(async () => {
  issuer = await ScriptedIssuer.start();
  service = await RunningAccountService.start({
    environment: {
      ...issuer.environment,
      OIDC_DOMAINS: 'acme.example,globex.example',
      OIDC_TRUSTED_DOMAINS: 'globex.example',
    },
    beforeRoutes: (application) => {
      const fastify = application.getHttpAdapter().getInstance();
      fastify.addHook('onRequest', (request, _reply, done) => {
        request.log.warn = (...line: unknown[]) => void warnings.push(line);
        done();
      });
    },
  });
});
afterAll(async () => {
  await service.stop();
  issuer.stop();
});

/** Arguments of the warnings that the service logged during the sign-in. */
let warnings: unknown[][] = [];

async function outcome(changes: JWTPayload, userinfo: object | null): Promise<string> {
  issuer.requests = [];
  issuer.userinfo = userinfo;
  warnings = [];
  const ended = await issuer.outcome(service, (nonce) => issuer.sign(issuer.claims({ nonce, ...changes })));
  return ended.replace(/^code=.*/, 'code');
}

const noEmail = { email: undefined, email_verified: undefined };
const noVerified = { email_verified: undefined };
const ada = { sub: 'ada', email: 'ada@acme.example', email_verified: true, name: 'Ada Lovelace' };

test.each<[string, JWTPayload, object | null]>([
  ['both claims in the ID token', {}, null],
  ['email_verified as a string', { email_verified: 'true' }, null],
  ['no email in the ID token (Zitadel, Authelia)', noEmail, ada],
  ['no email_verified in the ID token (Okta)', noVerified, ada],
  ['email_verified of userinfo as a string', noEmail, { ...ada, email_verified: 'true' }],
  ['xms_edov of Entra ID', { ...noVerified, xms_edov: true }, null],
  ['xms_edov as 1', { ...noVerified, xms_edov: 1 }, null],
  ['xms_edov as the string 1', { ...noVerified, xms_edov: '1' }, null],
  ['xms_edov as the string true', { ...noVerified, xms_edov: 'true' }, null],
])('accepts %s', async (_, changes, userinfo) => {
  expect(await outcome(changes, userinfo)).toBe('code');
  expect(issuer.requests.includes('/userinfo')).toBe(userinfo !== null);
});

test('takes the name from userinfo when the ID token has none', async () => {
  expect(await outcome({ ...noEmail, sub: 'ada' }, ada)).toBe('code');
  const users = await service.database.asOwner.query({
    text: `SELECT name FROM account.users WHERE email = 'ada@acme.example'`,
  });
  expect(users).toEqual([{ name: 'Ada Lovelace' }]);
});

test.each<[string, JWTPayload, object | null, string]>([
  [
    'an unverified address',
    { email_verified: false },
    null,
    'ID token: email_verified is not true; userinfo: not requested',
  ],
  [
    'an unverified address of userinfo',
    noVerified,
    { ...ada, email_verified: false },
    'ID token: email_verified is missing; userinfo: email_verified is not true',
  ],
  ['no claims at all', noEmail, { sub: 'ada' }, 'ID token: email is missing; userinfo: email is missing'],
  [
    'xms_edov that is 0',
    { ...noVerified, xms_edov: 0 },
    { sub: 'ada', email: 'ada@acme.example' },
    'ID token: email_verified is missing; userinfo: email_verified is missing',
  ],
  [
    'xms_edov next to an email_verified that is false',
    { email_verified: false, xms_edov: true },
    null,
    'ID token: email_verified is not true; userinfo: not requested',
  ],
  [
    'an address of the ID token without one that userinfo verifies',
    noVerified,
    { sub: 'ada', email_verified: true },
    'ID token: email_verified is missing; userinfo: email is missing',
  ],
  [
    'a list of addresses',
    { email: ['ada@acme.example'] },
    null,
    'ID token: email is no string; userinfo: not requested',
  ],
])('denies %s and logs which claim was missing', async (_, changes, userinfo, claims) => {
  expect(await outcome(changes, userinfo)).toBe('error=email_not_verified');
  expect(warnings).toEqual([
    [{ provider: 'oidc', claims }, expect.stringContaining('no verified email address')],
  ]);
});

test.each<[string, object | null]>([
  ['of another subject', { ...ada, sub: 'eve' }],
  ['without a subject', { ...ada, sub: undefined }],
  ['that fails', null],
])('rejects userinfo %s', async (_, userinfo) => {
  expect(await outcome(noEmail, userinfo)).toBe('error=provider_error');
});

describe('an address of a trusted domain', () => {
  // Globex does not allow this sign-in method, which is checked after the address.
  const grace = { sub: 'grace', email: 'grace@globex.example' };

  test.each<[string, JWTPayload, object | null]>([
    ['in the ID token', { ...grace, ...noVerified }, null],
    ['that the provider did not verify', { ...grace, email_verified: false }, null],
    ['in userinfo', { ...noEmail, sub: 'grace' }, grace],
  ])('counts as verified %s', async (_, changes, userinfo) => {
    expect(await outcome(changes, userinfo)).toBe('error=provider_not_allowed');
  });
});

test('describes the cause to a JSON client', async () => {
  const attempt = await beginSignIn(service, 'oidc');
  const nonce = attempt.authorizationUrl.searchParams.get('nonce');
  const idToken = await issuer.sign(issuer.claims({ nonce, email_verified: false }));
  issuer.tokenResponse = { access_token: 'a', token_type: 'bearer', id_token: idToken };
  const callback = new URL(`${service.url}/api/v1/auth/oidc/callback?code=x&state=${attempt.state}`);
  callback.searchParams.set('iss', issuer.url);
  const response = await openCallback(callback, attempt.cookie, 'application/json');
  expect(response.status).toBe(403);
  expect(await response.json()).toEqual({
    title: 'Forbidden',
    detail: expect.stringMatching(/^The provider sent no verified email address for this account\./),
  });
});

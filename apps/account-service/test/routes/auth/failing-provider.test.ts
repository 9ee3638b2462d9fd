import { FRONTEND_URL, RunningAccountService } from '../../support/running-account-service.ts';
import { type ScriptedProvider, startScriptedProvider } from '../../support/scripted-provider.ts';
import { beginSignIn, openCallback } from '../../support/partial-sign-in.ts';

let scripted: ScriptedProvider;
let service: RunningAccountService;

beforeAll(async () => {
  scripted = await startScriptedProvider();
  service = await RunningAccountService.start({
    environment: {
      GITHUB_TOKEN_URL: `${scripted.url}/token`,
      GITHUB_USER_URL: `${scripted.url}/user`,
      GITHUB_EMAILS_URL: `${scripted.url}/emails`,
      GOOGLE_TOKEN_URL: `${scripted.url}/token`,
      GOOGLE_USERINFO_URL: `${scripted.url}/userinfo`,
    },
  });
});

afterAll(async () => {
  await service.stop();
  await scripted.stop();
});

const token = { access_token: 'token-of-the-provider', token_type: 'bearer' };
const user = { id: 7, login: 'ada', name: 'Ada', avatar_url: 'https://pictures.example/ada.png' };
const emails = [{ email: 'ada@acme.example', primary: true, verified: true }];

async function outcome(provider: 'github' | 'google'): Promise<string> {
  const attempt = await beginSignIn(service, provider);
  const callback = new URL(`${service.url}/api/v1/auth/${provider}/callback?code=x&state=${attempt.state}`);
  const response = await openCallback(callback, attempt.cookie);
  return (response.headers.get('location') ?? `${response.status}`).replace(
    `${FRONTEND_URL}/auth/callback?`,
    '',
  );
}

test('the scripted provider can sign a user in', async () => {
  Object.assign(scripted.responses, { token, user, emails });
  expect(await outcome('github')).toMatch(/^code=/);
});

test.each<[string, Partial<ScriptedProvider['responses']>]>([
  ['a token that is null', { token: 'null' }],
  ['a token response that is no JSON', { token: '<html>' }],
  ['no token', { token: {} }],
  ['a token error', { token: { error: 'bad_verification_code' } }],
  ['a broken connection', { token: (response) => response.destroy() }],
  ['a redirect', { token: (response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end() }],
  ['a server error', { user: (response) => response.writeHead(500).end('oops') }],
  ['a user that is null', { user: 'null' }],
  ['a user that is no JSON', { user: '<html>' }],
  ['a user without an id', { user: { login: 'ada' } }],
  ['email addresses that are no JSON', { emails: '<html>' }],
  ['email addresses that are null', { emails: 'null' }],
  ['email addresses that are no list', { emails: { message: 'no' } }],
  ['email addresses that are empty', { emails: [] }],
  ['an email list of nulls', { emails: [null] }],
  ['an endless response', { emails: (response) => endless(response) }],
])('a GitHub response with %s fails only that sign-in', async (_, responses) => {
  Object.assign(scripted.responses, { token, user, emails }, responses);
  expect(await outcome('github')).toBe('error=provider_error');
});

test('times out after 5 s when a provider hangs', async () => {
  let requestedAt = NaN;
  Object.assign(scripted.responses, { token: () => (requestedAt = performance.now()) });
  expect(await outcome('github')).toBe('error=provider_error');
  const waited = performance.now() - requestedAt;
  expect(waited).toBeGreaterThan(4_000);
  // Includes the rest of the sign-in.
  expect(waited).toBeLessThan(9_000);
});

test.each<[string, object | string, string]>([
  ['null', 'null', 'error=provider_error'],
  [
    'no subject',
    { email: 'ada@acme.example', email_verified: true, hd: 'acme.example' },
    'error=provider_error',
  ],
  [
    'a subject that is no string',
    { sub: 7, email: 'ada@acme.example', email_verified: true, hd: 'acme.example' },
    'error=provider_error',
  ],
  [
    'email_verified as another string',
    { sub: '7', email: 'ada@acme.example', email_verified: 'false', hd: 'acme.example' },
    'error=email_not_verified',
  ],
  [
    'two addresses in one',
    { sub: '7', email: 'eve@evil.example@acme.example', email_verified: true, hd: 'acme.example' },
    'error=email_not_verified',
  ],
  [
    'a list of addresses',
    { sub: '7', email: ['ada@acme.example'], email_verified: true, hd: 'acme.example' },
    'error=email_not_verified',
  ],
])('denies Google claims with %s', async (_, userinfo, expected) => {
  Object.assign(scripted.responses, { token, userinfo });
  expect(await outcome('google')).toBe(expected);
});

test('accepts email_verified of Google as the string true', async () => {
  const userinfo = { sub: '7', email: 'ada@acme.example', email_verified: 'true', hd: 'acme.example' };
  Object.assign(scripted.responses, { token, userinfo });
  expect(await outcome('google')).toMatch(/^code=/);
});

function endless(response: import('node:http').ServerResponse): void {
  const more = () => {
    while (response.writable && !response.destroyed && response.write('x'.repeat(64 * 1024)));
  };
  response.on('drain', more);
  more();
}

import { FRONTEND_URL, RunningAccountService } from '../../support/running-account-service.ts';
import { type ScriptedProvider, startScriptedProvider } from '../../support/scripted-provider.ts';
import { beginSignIn, openCallback } from '../../support/sign-in-leg.ts';

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
  const leg = await beginSignIn(service, provider);
  const callback = new URL(`${service.url}/api/v1/auth/${provider}/callback?code=x&state=${leg.state}`);
  const answer = await openCallback(callback, leg.cookie);
  return (answer.headers.get('location') ?? `${answer.status}`).replace(`${FRONTEND_URL}/auth/callback?`, '');
}

test('the script itself signs somebody in', async () => {
  Object.assign(scripted.answers, { token, user, emails });
  expect(await outcome('github')).toMatch(/^code=/);
});

test.each<[string, Partial<ScriptedProvider['answers']>]>([
  ['a token that is null', { token: 'null' }],
  ['a token answer that is no JSON', { token: '<html>' }],
  ['no token', { token: {} }],
  ['a token error', { token: { error: 'bad_verification_code' } }],
  ['a broken connection', { token: (response) => response.destroy() }],
  ['a redirect', { token: (response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end() }],
  ['a server error', { user: (response) => response.writeHead(500).end('oops') }],
  ['a user that is null', { user: 'null' }],
  ['a user that is no JSON', { user: '<html>' }],
  ['a user without an id', { user: { login: 'ada' } }],
  ['e-mails that are no JSON', { emails: '<html>' }],
  ['e-mails that are null', { emails: 'null' }],
  ['e-mails that are no list', { emails: { message: 'no' } }],
  ['e-mails that are empty', { emails: [] }],
  ['an e-mail list of nulls', { emails: [null] }],
  ['an endless answer', { emails: (response) => endless(response) }],
])('GitHub with %s fails that one sign-in', async (_, answers) => {
  Object.assign(scripted.answers, { token, user, emails }, answers);
  expect(await outcome('github')).toBe('error=provider_error');
});

test('a provider that hangs is given up after 5 s', async () => {
  let asked = NaN;
  Object.assign(scripted.answers, { token: () => (asked = performance.now()) });
  expect(await outcome('github')).toBe('error=provider_error');
  const waited = performance.now() - asked;
  expect(waited).toBeGreaterThan(4_000);
  // What is left of the sign-in comes on top.
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
    'a subject that is no text',
    { sub: 7, email: 'ada@acme.example', email_verified: true, hd: 'acme.example' },
    'error=provider_error',
  ],
  [
    'a verified that is a text',
    { sub: '7', email: 'ada@acme.example', email_verified: 'true', hd: 'acme.example' },
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
])('Google with claims with %s opens nothing', async (_, userinfo, expected) => {
  Object.assign(scripted.answers, { token, userinfo });
  expect(await outcome('google')).toBe(expected);
});

function endless(response: import('node:http').ServerResponse): void {
  const more = () => {
    while (response.writable && !response.destroyed && response.write('x'.repeat(64 * 1024)));
  };
  response.on('drain', more);
  more();
}

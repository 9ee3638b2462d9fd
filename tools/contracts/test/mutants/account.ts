import type { Schemas } from '../../src/rules/account/requests.ts';
import {
  changeBody,
  changeResponse,
  type Mutant,
  type MutantsOfRule,
  type TokenMutant,
  redirect,
  setHeader,
  setStatus,
} from './mutant.ts';

const METHODS = /\/auth\/methods$/;
const START = /^GET \/api\/v1\/auth\/(github|google)\?/;
const CALLBACK = /\/callback/;
const TOKEN = /^POST \/api\/v1\/auth\/token/;
const REFRESH = /^POST \/api\/v1\/auth\/refresh/;
const KEYS = /^GET \/api\/v1\/keys\/$/;
const ROTATE = /\/rotate$/;
const JWKS = /jwks\.json$/;
const SESSIONS = /^GET \/api\/v1\/sessions\/$/;
const OAUTH = /^POST \/oauth\/token$/;
const SCOPES = /\/scopes$/;
const SECRET = '6f0f1f0e-9a58-4a3c-8f5e-1f2f3c4d5e6f';

const accept = (matching: RegExp): Mutant =>
  changeResponse(matching, (response) => void Object.assign(response, { status: 204, text: '' }));
const listedKeys = (keyOf: (key: string) => string): Mutant =>
  changeBody<Schemas['ApiKeyListResponse']>(KEYS, ({ api_keys }) =>
    api_keys.forEach((row) => (row.key = keyOf(row.key))),
  );
/** Changes the key of a response to a creation or a rotation. */
const returnedKey = (matching: RegExp, change: (key: Schemas['ApiKeyResponse']) => unknown): Mutant =>
  changeBody<Schemas['ApiKeyWithMessage']>(matching, (body) => void change(body.api_key));
const metadata = (change: (all: Schemas['AuthorizationServerMetadata']) => unknown): Mutant =>
  changeBody(/oauth-authorization-server$/, (all: Parameters<typeof change>[0]) => void change(all));
const publishedKeys = (change: (keys: Record<string, string>[]) => unknown): Mutant =>
  changeBody<{ keys: Record<string, string>[] }>(JWKS, ({ keys }) => void change(keys));
const listedSessions = (change: (all: Schemas['SessionResponse'][]) => unknown): Mutant =>
  changeBody<Schemas['SessionListResponse']>(SESSIONS, ({ sessions }) => void change(sessions));
const location = (change: (location: URL) => unknown): Mutant =>
  changeResponse(START, ({ headers }) => {
    const url = new URL(headers.location!);
    change(url);
    headers.location = url.href;
  });
/** Issues access tokens with other claims and the same signature. */
const claims = (change: (claims: Record<string, unknown>) => unknown): TokenMutant => ({
  token(token) {
    const [header = '', body = '', signature = ''] = token.split('.');
    const parsed = JSON.parse(Buffer.from(body, 'base64url').toString()) as Record<string, unknown>;
    change(parsed);
    return [header, Buffer.from(JSON.stringify(parsed)).toString('base64url'), signature].join('.');
  },
});

export const accountMutants: Record<string, MutantsOfRule> = {
  'sign-in-methods-listed': {
    'lists a method at another path': changeBody<Schemas['SignInMethods']>(METHODS, ({ methods }) => {
      methods[0]!.url += '/start';
    }),
  },
  'disabled-providers-rejected': {
    'redirects to a disabled provider': setStatus(/\/auth\/oidc$/, 302),
    'accepts a callback of a disabled provider': setStatus(/\/auth\/oidc\/callback/, 302),
  },
  'frontend-url-allowlist': {
    'accepts an empty URL': setStatus(/frontend_url=$/, 302),
    'compares the prefix only': redirect(START, ({ path }) => ({
      path: path.replace(/\.elsewhere\.invalid/, ''),
    })),
    'redirects in addition to the error': setHeader(START, 'location', 'https://elsewhere.invalid'),
  },
  'sign-in-redirects-to-provider': {
    'omits state': location(({ searchParams }) => searchParams.delete('state')),
    'omits the PKCE challenge': location(({ searchParams }) => searchParams.delete('code_challenge')),
    'uses PKCE without a hash': location(({ searchParams }) =>
      searchParams.set('code_challenge_method', 'plain'),
    ),
    'lets the provider return elsewhere': location(({ searchParams }) =>
      searchParams.set('redirect_uri', 'https://elsewhere.invalid'),
    ),
    'lets scripts read the cookie': changeResponse(START, ({ headers }) => {
      headers['set-cookie'] = headers['set-cookie']!.replace(/; HttpOnly/, '');
    }),
    'sends the cookie over HTTP': changeResponse(START, ({ headers }) => {
      headers['set-cookie'] = `__Secure-${headers['set-cookie']!.replace(/; Secure/, '')}`;
    }),
  },
  'callback-bound-to-browser': {
    'accepts a callback of another browser': setStatus(/callback\?code=x&state/, 302),
    'redirects in addition to the error': setHeader(CALLBACK, 'location', 'https://app.example'),
  },
  'unknown-code-rejected': {
    'accepts an unknown code': accept(TOKEN),
    'lets the response be cached': setHeader(TOKEN, 'cache-control', 'private'),
  },
  'unknown-refresh-token-rejected': {
    'accepts an unknown token': accept(REFRESH),
    'lets the response be cached': setHeader(REFRESH, 'cache-control', 'private'),
  },
  'cookie-mode-requires-allowed-origin': {
    'ignores the origin': changeResponse(TOKEN, (response, { headers }) => {
      if (response.status === 403 && headers['origin'] !== undefined)
        Object.assign(response, { status: 401, text: '{"title":"Invalid Code","detail":"Sign in again."}' });
    }),
    'sets a cookie with the error': setHeader(REFRESH, 'set-cookie', '__Host-refresh=x'),
    'rejects every origin': changeResponse(REFRESH, (response) => {
      Object.assign(response, { status: 403, text: '{"title":"Forbidden","detail":"No."}' });
    }),
  },
  'non-json-bodies-rejected': {
    'takes an array as an empty object': redirect(TOKEN, ({ body }) =>
      body === '[]' ? { body: '{"code":"x"}' } : {},
    ),
    'accepts a form': setStatus(REFRESH, 401),
    'reads a large body': changeResponse(TOKEN, (response) => {
      if (response.status === 413) response.status = 401;
    }),
  },
  'sign-out-is-idempotent': { 'rejects a sign-out without a session': setStatus(/\/logout$/, 401) },
  'signing-keys-published': {
    'publishes no key': publishedKeys((keys) => keys.splice(0)),
    'publishes two keys with one kid': publishedKeys((keys) => keys.push(keys[0]!)),
    'publishes a private key': publishedKeys((keys) => (keys[0]!['d'] = 'x')),
    'publishes a key of another algorithm': publishedKeys((keys) => (keys[0]!['alg'] = 'RS256')),
    'does not let verifiers cache the keys': setHeader(JWKS, 'cache-control', 'no-store'),
  },
  'access-token-signature': {
    'does not publish the key of the token': publishedKeys((keys) =>
      keys.forEach((key) => (key['kid'] = 'another')),
    ),
    'signs other claims': claims((all) => (all['sub'] = '2')),
    'issues a token that is not a JWT': { token: () => 'opaque' },
  },
  'access-token-claims': {
    'issues a token without a session': claims((all) => delete all['sid']),
    'issues an access claim in another format': claims((all) => {
      all['access'] = [{ customer_id: 'acme', workspace_ids: 'all' }];
    }),
    'issues a token that does not fit in a cookie': claims((all) => (all['more'] = 'x'.repeat(4096))),
    'issues a token for a day': claims((all) => (all['exp'] = Number(all['iat']) + 86_400)),
  },
  'listed-keys-are-masked': {
    'lists complete secrets': listedKeys(() => SECRET),
    'lists complete secrets in upper case': listedKeys(() => SECRET.toUpperCase()),
    'shows eight characters': listedKeys((key) => key.replace(/^\*{4}/, '6f0f')),
    'shows no characters': listedKeys((key) => key.replace(/.{4}$/, '****')),
  },
  'invalid-key-requests-rejected': {
    'accepts a key without a name': changeResponse(/^POST .*\/keys\/$/, (response, { body }) => {
      if (!String(body).includes('"name"')) response.status = 201;
    }),
    'reports an unknown key as forbidden': setStatus(/^DELETE .*\/keys\//, 403),
  },
  'authorization-server-metadata': {
    'has the token endpoint elsewhere': metadata((all) => (all.token_endpoint += '/v2')),
    'announces another grant': metadata((all) => all.grant_types_supported.push('password')),
  },
  'invalid-clients-rejected': {
    'rejects an unknown key with 400': setStatus(OAUTH, 400),
    'sends no challenge': setHeader(OAUTH, 'www-authenticate', undefined),
  },
  'client-credentials-lifecycle': {
    'ignores a grant': changeBody<Schemas['KeyScopesResponse']>(SCOPES, (body) => {
      body.scopes = ['telemetry:write'];
    }),
    'issues tokens for a day': changeBody<Schemas['KeyTokenResponse']>(OAUTH, (body) => {
      body.expires_in = 86_400;
    }),
    'accepts the tokens at the account service': setStatus(/^GET \/api\/v1\/me$/, 200),
  },
  'api-key-lifecycle': {
    'creates a key that is not a UUID': returnedKey(/^POST .*\/keys\/$/, (row) => {
      row.key = `key-${row.key}`;
    }),
    'lists the complete secret': listedKeys(() => SECRET),
    'shows other characters': listedKeys((key) => `${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`),
    'changes the id by rotation': returnedKey(ROTATE, (row) => (row.id += 1)),
    'rotates to a secret that is not the listed one': returnedKey(ROTATE, (row) => (row.key = SECRET)),
    'keeps a deleted key': redirect(/^DELETE .*\/keys\//, () => ({ method: 'GET', path: '/api/v1/keys/' })),
    'deletes a key twice': setStatus(/^DELETE .*\/keys\//, 200),
  },
  'listed-sessions-include-current': {
    'marks no session': listedSessions((all) => all.forEach((session) => (session.current = false))),
    'marks another session': listedSessions((all) => (all.find(({ current }) => current)!.id = SECRET)),
  },
  'invalid-session-ends-rejected': {
    'ends an unknown session': setStatus(/^DELETE .*\/sessions\/[0-9a-f-]{36}$/, 204),
    'needs no token': setStatus(/^DELETE .*\/sessions\/$/, 204),
    'takes a malformed id as unknown': setStatus(/\/sessions\/one$/, 404),
  },
};

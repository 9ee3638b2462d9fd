import { summaryOf } from '../../deployment/http-exchange.ts';
import { Skipped, expectHeader, expectSame, expectStatus, expectThat } from '../expectations.ts';
import { type Rule, rule } from '../rule.ts';
import type { Target } from '../target.ts';
import { API, expectError, type Schemas } from './requests.ts';

async function methodsOf(target: Target): Promise<Schemas['SignInMethod'][]> {
  const response = await target.get(`${API}/auth/methods`);
  return expectStatus<Schemas['SignInMethods']>(response, 200).methods;
}

/**
 * Returns the ids of the enabled providers.
 *
 * @throws {Skipped} without one
 */
async function providersOf(target: Target): Promise<string[]> {
  const providers = (await methodsOf(target)).filter(({ type }) => type === 'oauth');
  if (providers.length === 0) throw new Skipped('no provider is enabled');
  return providers.map(({ id }) => id);
}

export const signIn: Rule[] = [
  rule('sign-in-methods-listed', 'docs/account-service.md#sign-in-methods', async (target) => {
    const methods = await methodsOf(target);
    if (methods.length === 0) throw new Skipped('no sign-in method is enabled');
    for (const method of methods) {
      expectThat(method.url.endsWith(`${API}/auth/${method.id}`), `${method.id} is at ${method.url}`);
    }
    return methods.map(({ id }) => id).join(', ');
  }),
  rule('disabled-providers-rejected', 'docs/account-service.md#sign-in-methods', async (target) => {
    const enabled = new Set((await methodsOf(target)).map(({ id }) => id));
    const disabled = ['github', 'google', 'oidc'].filter((id) => !enabled.has(id));
    if (disabled.length === 0) throw new Skipped('all providers are enabled');
    for (const id of disabled) {
      expectError(await target.get(`${API}/auth/${id}`), 404, 'Not Found', `${id} is disabled`);
      const returned = await target.get(`${API}/auth/${id}/callback`);
      expectError(returned, 400, 'Invalid Request', `${id} started no sign-in`);
    }
    return disabled.join(', ');
  }),
  rule('frontend-url-allowlist', 'docs/account-service.md#frontend-url', async (target) => {
    const providers = await providersOf(target);
    const { frontendUrl } = target.options;
    for (const id of providers) {
      const unlisted = [
        'https://elsewhere.invalid',
        'https://elsewhere.invalid/auth',
        'javascript:alert(1)',
        '//elsewhere.invalid',
        '',
      ];
      if (frontendUrl !== undefined) {
        const { protocol, host } = new URL(frontendUrl);
        unlisted.push(
          `${frontendUrl}.elsewhere.invalid`,
          `${frontendUrl}@elsewhere.invalid`,
          `${protocol}//${host}:1`,
          `${frontendUrl}/../x`,
        );
      }
      const queries = [
        ...unlisted.map((url) => `?frontend_url=${encodeURIComponent(url)}`),
        '',
        '?frontend_url=https://elsewhere.invalid&frontend_url=https://elsewhere.invalid',
      ];
      for (const query of queries) {
        const response = await target.get(`${API}/auth/${id}${query}`);
        expectError(response, 400, 'Invalid Frontend URL', `frontend_url "${query}"`);
        expectHeader(response, 'location', undefined);
      }
    }
    return `${providers.join(', ')}: 400 for unlisted, empty, missing and repeated URLs`;
  }),
  rule('sign-in-redirects-to-provider', 'docs/account-service.md#sign-in', async (target) => {
    const { frontendUrl } = target.options;
    if (frontendUrl === undefined) throw new Skipped('needs --frontend-url');
    const providers = await providersOf(target);
    for (const id of providers) {
      const response = await target.get(`${API}/auth/${id}?frontend_url=${encodeURIComponent(frontendUrl)}`);
      expectThat(response.status === 302, `${summaryOf(response)}: ${response.text}`);
      const { searchParams } = new URL(response.headers.location ?? 'about:blank');
      expectSame(searchParams.get('response_type'), 'code', 'response_type');
      const redirectUri = searchParams.get('redirect_uri') ?? '';
      expectThat(redirectUri.endsWith(`${API}/auth/${id}/callback`), `redirect_uri is ${redirectUri}`);
      expectSame(searchParams.get('code_challenge_method'), 'S256', 'code_challenge_method');
      expectThat(
        (searchParams.get('code_challenge') ?? '').length === 43,
        'the redirect has no PKCE challenge',
      );
      expectThat((searchParams.get('state') ?? '').length >= 32, `state is ${searchParams.get('state')}`);
      const cookies = (response.headers['set-cookie'] ?? '').split(/,\s*(?=[^;,\s]+=)/);
      for (const cookie of cookies) {
        const [pair = '', ...attributes] = cookie.split(';').map((part) => part.trim());
        for (const attribute of ['HttpOnly', 'Secure', 'SameSite=Lax'])
          expectThat(
            attributes.includes(attribute),
            `the cookie ${pair.split('=', 1)[0]} lacks ${attribute}: ${attributes.join('; ')}`,
          );
      }
    }
    return `${providers.join(', ')}: state, PKCE S256, bound to the browser`;
  }),
  rule('callback-bound-to-browser', 'docs/account-service.md#sign-in', async (target) => {
    const providers = await providersOf(target);
    for (const id of providers) {
      for (const query of ['', '?code=x', `?code=x&state=${'x'.repeat(43)}`, '?error=access_denied']) {
        const response = await target.get(`${API}/auth/${id}/callback${query}`);
        expectError(response, 400, 'Invalid Request', 'a callback without a sign-in of this browser');
        expectHeader(response, 'location', undefined);
      }
    }
    return `${providers.join(', ')}: 400 without the browser's state`;
  }),
  rule('unknown-code-rejected', 'docs/account-service.md#authorization-codes', async (target) => {
    const json = { accept: 'application/json' };
    for (const [why, body] of [
      ['an unknown code', { code: 'x'.repeat(43), redirect_uri: 'https://elsewhere.invalid' }],
      ['an empty code', { code: '', redirect_uri: 'https://elsewhere.invalid' }],
    ] as const) {
      const response = await target.post(`${API}/auth/token`, body, json);
      expectError(response, 401, 'Invalid Code', why);
      expectHeader(response, 'cache-control', 'no-store');
    }
    return '401 Invalid Code, no-store';
  }),
  rule('unknown-refresh-token-rejected', 'docs/account-service.md#refresh', async (target) => {
    const response = await target.post(`${API}/auth/refresh`, { refresh_token: 'x'.repeat(43) });
    expectError(response, 401, 'Invalid Refresh Token', 'an unknown refresh token');
    expectHeader(response, 'cache-control', 'no-store');
    return '401 Invalid Refresh Token, no-store';
  }),
  rule('cookie-mode-requires-allowed-origin', 'docs/account-service.md#cookie-mode', async (target) => {
    for (const path of ['/auth/token', '/auth/refresh']) {
      for (const accept of ['*/*', 'text/html']) {
        for (const origin of [undefined, 'https://elsewhere.invalid']) {
          const body = path === '/auth/token' ? { code: 'x', redirect_uri: 'https://elsewhere.invalid' } : {};
          const response = await target.post(`${API}${path}`, body, {
            accept,
            ...(origin !== undefined && { origin }),
          });
          expectError(response, 403, 'Forbidden', `cookie mode from ${origin ?? 'no origin'}`);
          expectHeader(response, 'set-cookie', undefined);
        }
      }
    }
    const { origin } = target.options;
    if (origin === undefined) return '403, no cookie';
    for (const [path, body, title] of [
      ['/auth/token', { code: 'x', redirect_uri: origin }, 'Invalid Code'],
      ['/auth/refresh', { refresh_token: 'x'.repeat(43) }, 'Invalid Refresh Token'],
    ] as const) {
      const response = await target.post(`${API}${path}`, body, { accept: '*/*', origin });
      expectError(response, 401, title, `cookie mode from ${origin}`);
    }
    return `403, no cookie; from ${origin} past this check`;
  }),
  rule('non-json-bodies-rejected', 'docs/services.md#request-limits', async (target) => {
    const json = { accept: 'application/json' };
    for (const path of ['/auth/token', '/auth/refresh']) {
      for (const [why, body] of [
        ['malformed JSON', '{"code":'],
        ['an array', []],
        ['a number', 1],
        ['a field of another type', { code: 1, redirect_uri: [], refresh_token: {} }],
      ] as const) {
        const response = await target.post(`${API}${path}`, body, json);
        expectError(response, 400, 'Invalid Request', why);
      }
      const form = await target.post(`${API}${path}`, 'code=x', {
        ...json,
        'content-type': 'application/x-www-form-urlencoded',
      });
      expectError(form, 415, 'Unsupported Media Type', 'a form');
      const large = await target.post(`${API}${path}`, JSON.stringify({ code: 'x'.repeat(70_000) }), json);
      expectError(large, 413, 'Payload Too Large', '70,000 characters');
    }
    return 'malformed 400, form 415, over 64 KiB 413';
  }),
  rule('sign-out-is-idempotent', 'docs/account-service.md#sign-out', async (target) => {
    for (const body of [{}, { refresh_token: 'x'.repeat(43) }])
      expectStatus(await target.post(`${API}/auth/logout`, body), 204);
    return '204 without a session';
  }),
  rule('signing-keys-published', 'docs/tokens.md#public-keys', async (target) => {
    const response = await target.get('/.well-known/jwks.json');
    const { keys } = expectStatus<{ keys: Record<string, string>[] }>(response, 200);
    expectThat(keys.length > 0, 'no key is published');
    expectThat(new Set(keys.map(({ kid }) => kid)).size === keys.length, 'two keys have the same kid');
    for (const { kid, kty, crv, alg, ...rest } of keys) {
      expectSame({ kty, crv, alg }, { kty: 'EC', crv: 'P-256', alg: 'ES256' }, `the key ${kid}`);
      expectThat(!('d' in rest), `the key ${kid} is published with its private part`);
    }
    expectHeader(response, 'cache-control', /max-age=\d+/);
    return `${keys.length} public ES256 keys`;
  }),
];

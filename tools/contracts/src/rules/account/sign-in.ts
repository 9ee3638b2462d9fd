import { jsonOf, nameOf } from '../../deployment/answer.ts';
import { expectSame, expectThat, NotSeen, type Rule } from '../rule.ts';
import type { Subject } from '../subject.ts';
import { API, expectFailure, expectStatus, post } from './account-words.ts';

interface Method {
  id: string;
  type: string;
  name: string;
  url: string;
}

async function methodsOf(subject: Subject): Promise<Method[]> {
  const answer = await subject.get(`${API}/auth/methods`);
  return expectStatus<{ methods: Method[] }>(answer, 200).methods;
}

export const signIn: Rule<Subject>[] = [
  {
    name: 'sign-in-methods-listed',
    source: 'contract 4.5; decisions 3',
    async hold(subject) {
      const methods = await methodsOf(subject);
      for (const method of methods) {
        expectSame(
          Object.keys(method).sort(),
          ['id', 'name', 'type', 'url'],
          `fields of method ${method.id}`,
        );
        expectThat(['oauth', 'password'].includes(method.type), `type ${method.type} of ${method.id}`);
        expectThat(method.url.endsWith(`${API}/auth/${method.id}`), `${method.id} is at ${method.url}`);
      }
      return methods.map(({ id }) => id).join(', ') || 'none';
    },
  },
  {
    name: 'frontend-url-on-the-list',
    source: 'contract 5, step 1; 7.2',
    async hold(subject) {
      const oauth = (await methodsOf(subject)).filter(({ type }) => type === 'oauth');
      if (oauth.length === 0) throw new NotSeen('no provider is enabled');
      const { frontendUrl } = subject.options;
      for (const { id } of oauth) {
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
          const answer = await subject.get(`${API}/auth/${id}${query}`);
          expectFailure(answer, 400, 'Invalid Frontend URL', `frontend_url "${query}"`);
          expectThat(answer.headers.location === undefined, `${nameOf(answer)} redirects`);
        }
      }
      return `${oauth.map(({ id }) => id).join(', ')}: unlisted, empty, missing and repeated are 400`;
    },
  },
  {
    name: 'sign-in-redirects-to-the-provider',
    source: 'contract 4.5; decisions 3, Provider leg',
    async hold(subject) {
      const { frontendUrl } = subject.options;
      if (frontendUrl === undefined) throw new NotSeen('needs --frontend-url');
      const oauth = (await methodsOf(subject)).filter(({ type }) => type === 'oauth');
      for (const { id } of oauth) {
        const answer = await subject.get(`${API}/auth/${id}?frontend_url=${encodeURIComponent(frontendUrl)}`);
        expectThat(answer.status === 302, `${nameOf(answer)}: ${answer.text}`);
        const { searchParams } = new URL(answer.headers.location ?? 'about:blank');
        expectSame(searchParams.get('response_type'), 'code', 'response_type');
        expectSame(searchParams.get('code_challenge_method'), 'S256', 'code_challenge_method');
        expectThat((searchParams.get('code_challenge') ?? '').length === 43, 'there is no PKCE challenge');
        expectThat((searchParams.get('state') ?? '').length >= 32, `state is ${searchParams.get('state')}`);
        const cookie = answer.headers['set-cookie'] ?? '';
        for (const attribute of ['HttpOnly', 'Secure', 'SameSite=Lax'])
          expectThat(
            cookie.includes(attribute),
            `the browser's cookie is not ${attribute}: ${cookie.replace(/=[^;]+/, '=…')}`,
          );
      }
      return `${oauth.map(({ id }) => id).join(', ')}: state, PKCE S256, bound to the browser`;
    },
  },
  {
    name: 'provider-returns-to-its-browser-only',
    source: 'decisions 3, Provider leg',
    async hold(subject) {
      const oauth = (await methodsOf(subject)).filter(({ type }) => type === 'oauth');
      if (oauth.length === 0) throw new NotSeen('no provider is enabled');
      for (const { id } of oauth) {
        for (const query of ['', '?code=x', `?code=x&state=${'x'.repeat(43)}`, '?error=access_denied']) {
          const answer = await subject.get(`${API}/auth/${id}/callback${query}`);
          expectFailure(answer, 400, 'Invalid Request', 'a return that no sign-in of this browser began');
          expectThat(answer.headers.location === undefined, `${nameOf(answer)} redirects`);
        }
      }
      return `${oauth.map(({ id }) => id).join(', ')}: 400 without the state of this browser`;
    },
  },
  {
    name: 'wrong-code-refused',
    source: 'contract 7.2; decisions 3, Authorization code',
    async hold(subject) {
      const json = { accept: 'application/json' };
      for (const [why, body] of [
        ['an unknown code', { code: 'x'.repeat(43), redirect_uri: 'https://elsewhere.invalid' }],
        ['an empty code', { code: '', redirect_uri: 'https://elsewhere.invalid' }],
      ] as const) {
        const answer = await post(subject, '/auth/token', body, json);
        expectFailure(answer, 401, 'Invalid Code', why);
        expectSame(answer.headers['cache-control'], 'no-store', 'Cache-Control');
      }
      return '401 Invalid Code, no-store';
    },
  },
  {
    name: 'wrong-refresh-token-refused',
    source: 'decisions 3, Refresh',
    async hold(subject) {
      const answer = await post(subject, '/auth/refresh', { refresh_token: 'x'.repeat(43) });
      expectFailure(answer, 401, 'Invalid Refresh Token', 'an unknown refresh token');
      expectSame(answer.headers['cache-control'], 'no-store', 'Cache-Control');
      return '401 Invalid Refresh Token, no-store';
    },
  },
  {
    name: 'cookie-mode-needs-an-origin',
    source: 'decisions 3, Cookie mode',
    async hold(subject) {
      for (const path of ['/auth/token', '/auth/refresh']) {
        for (const accept of ['*/*', 'text/html']) {
          for (const origin of [undefined, 'https://elsewhere.invalid']) {
            const body =
              path === '/auth/token' ? { code: 'x', redirect_uri: 'https://elsewhere.invalid' } : {};
            const answer = await post(subject, path, body, {
              accept,
              ...(origin !== undefined && { origin }),
            });
            expectFailure(answer, 403, 'Forbidden', `cookie mode from ${origin ?? 'no origin'}`);
            expectThat(answer.headers['set-cookie'] === undefined, `${nameOf(answer)} sets a cookie`);
          }
        }
      }
      return '403, no cookie';
    },
  },
  {
    name: 'bodies-are-json',
    source: 'decisions 3, Status codes',
    async hold(subject) {
      const json = { accept: 'application/json' };
      for (const path of ['/auth/token', '/auth/refresh']) {
        for (const [why, body] of [
          ['no JSON', '{"code":'],
          ['an array', []],
          ['a number', 1],
          ['a field of another type', { code: 1, redirect_uri: [], refresh_token: {} }],
        ] as const) {
          const answer = await post(subject, path, body, json);
          expectFailure(answer, 400, 'Invalid Request', why);
        }
        const form = await post(subject, path, 'code=x', {
          ...json,
          'content-type': 'application/x-www-form-urlencoded',
        });
        expectFailure(form, 415, 'Unsupported Media Type', 'a form');
        const large = await post(subject, path, JSON.stringify({ code: 'x'.repeat(70_000) }), json);
        expectFailure(large, 413, 'Payload Too Large', '70,000 characters');
      }
      return 'malformed 400, a form 415, more than 64 KiB 413';
    },
  },
  {
    name: 'sign-out-is-repeatable',
    source: 'decisions 3, Sign-out',
    async hold(subject) {
      for (const body of [{}, { refresh_token: 'x'.repeat(43) }])
        expectStatus(await post(subject, '/auth/logout', body), 204);
      return '204 where there is no session any more';
    },
  },
  {
    name: 'signing-keys-published',
    source: 'decisions 3, Signing',
    async hold(subject) {
      const answer = await subject.get('/.well-known/jwks.json');
      const { keys } = expectStatus<{ keys: Record<string, string>[] }>(answer, 200);
      expectThat(keys.length > 0, 'there is no key');
      const [kids, own] = [keys.map(({ kid }) => kid), ['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y']];
      for (const key of keys) expectSame(Object.keys(key).sort(), own, `fields of key ${key.kid}`);
      expectThat(new Set(kids).size === kids.length, 'two keys have one kid');
      expectThat(/max-age=\d+/.test(answer.headers['cache-control'] ?? ''), 'the keys cannot be cached');
      expectThat(jsonOf(answer) !== undefined, 'no JSON');
      return `${keys.length} public ES256 keys`;
    },
  },
];

import { approve, beginSignIn, openCallback } from '../../support/partial-sign-in.ts';
import {
  CODE_CHALLENGE,
  CODE_VERIFIER,
  FRONTEND_URL,
  useAccountService,
} from '../../support/running-account-service.ts';

const service = useAccountService({ environment: { PASSWORD_SIGN_IN: 'true' } });
const PASSWORD = 'a long password of ada';

beforeAll(async () => {
  await service.session('ada@acme.example');
  await service.runWithInput(PASSWORD, 'passwords', 'set', 'ada@acme.example');
});

/** Code of a sign-in, with the cookie of the browser that started it. */
interface Issued {
  code: string;
  cookie: string;
}

async function signIn(parameters: Record<string, string>): Promise<Issued> {
  const attempt = await beginSignIn(service, 'github', undefined, parameters);
  const callback = await approve(service, attempt, 'ada@acme.example');
  const frontend = new URL((await openCallback(callback, attempt.cookie)).headers.get('location') as string);
  return { code: frontend.searchParams.get('code') as string, cookie: attempt.cookie };
}

async function signInWithPassword(parameters: Record<string, string>): Promise<Issued> {
  const body = { email: 'ada@acme.example', password: PASSWORD, frontend_url: FRONTEND_URL, ...parameters };
  const response = await service.post('/api/v1/auth/password', body);
  const [cookie = ''] = response.headers.getSetCookie().map((each) => each.split(';')[0] as string);
  return { ...((await response.json()) as { code: string }), cookie };
}

const exchange = (
  code: string,
  mode: 'cookies' | 'JSON',
  { cookie, verifier }: { cookie?: string | undefined; verifier?: unknown },
) =>
  service.post(
    '/api/v1/auth/token',
    { code, redirect_uri: FRONTEND_URL, code_verifier: verifier },
    {
      accept: mode === 'JSON' ? 'application/json' : '*/*',
      origin: FRONTEND_URL,
      ...(cookie !== undefined && { cookie }),
    },
  );

const OTHER = `__Host-sign-in=${'x'.repeat(43)}`;
const PKCE = { code_challenge: CODE_CHALLENGE, code_challenge_method: 'S256' };
const PLAIN = { code_challenge: CODE_VERIFIER };

type Case = [
  title: string,
  mode: 'cookies' | 'JSON',
  start: Record<string, string>,
  cookieOf: (own: string) => string | undefined,
  verifier: unknown,
  accepted: boolean,
];
const none = () => undefined;
const own = (cookie: string) => cookie;

describe.each<[string, (parameters: Record<string, string>) => Promise<Issued>]>([
  ['a provider', signIn],
  ['a password', signInWithPassword],
])('the code of a sign-in with %s', (_method, start) => {
  test.each<Case>([
    ['the cookie', 'cookies', {}, own, undefined, true],
    ['no evidence', 'cookies', {}, none, undefined, false],
    ['the cookie of another browser', 'cookies', {}, () => OTHER, undefined, false],
    ['an empty cookie', 'cookies', {}, () => '__Host-sign-in=', undefined, false],
    ['two cookies', 'cookies', {}, (cookie) => `${cookie}; ${OTHER}`, undefined, false],
    ['the cookie and an unexpected verifier', 'cookies', {}, own, CODE_VERIFIER, false],
    ['the verifier', 'cookies', PKCE, none, CODE_VERIFIER, true],
    ['the verifier and another cookie', 'cookies', PKCE, () => OTHER, CODE_VERIFIER, true],
    ['the cookie without the verifier', 'cookies', PKCE, own, undefined, false],
    ['nothing', 'JSON', {}, none, undefined, true],
    ['an unexpected verifier', 'JSON', {}, none, CODE_VERIFIER, false],
    ['the verifier', 'JSON', { code_challenge: CODE_CHALLENGE }, none, CODE_VERIFIER, true],
    ['no verifier', 'JSON', PKCE, own, undefined, false],
    ['an empty verifier', 'JSON', PKCE, none, '', false],
    ['another verifier', 'JSON', PKCE, none, 'x'.repeat(43), false],
    ['a verifier that is no string', 'JSON', PKCE, none, [CODE_VERIFIER], false],
    ['null', 'JSON', PKCE, none, null, false],
    ['the challenge itself', 'JSON', PLAIN, none, CODE_VERIFIER, false],
  ])('with %s, in %s mode', async (_title, mode, parameters, cookieOf, verifier, accepted) => {
    const { code, cookie } = await start(parameters);
    const response = await exchange(code, mode, { cookie: cookieOf(cookie), verifier });
    expect(response.headers.getSetCookie()).toHaveLength(accepted && mode === 'cookies' ? 2 : 0);
    if (accepted) return expect(response.status).toBe(mode === 'JSON' ? 200 : 204);
    expect([response.status, await response.json()]).toEqual([
      401,
      expect.objectContaining({ title: 'Invalid Code' }),
    ]);
    const burned = await exchange(code, mode, {
      cookie,
      verifier: 'code_challenge' in parameters ? CODE_VERIFIER : undefined,
    });
    expect(burned.status).toBe(401);
  });
});

test.each([
  'code_challenge=',
  'code_challenge=short',
  `code_challenge=${CODE_CHALLENGE}=`,
  `code_challenge=${CODE_CHALLENGE}&code_challenge=${CODE_CHALLENGE}`,
  `code_challenge=${CODE_CHALLENGE}&code_challenge_method=plain`,
])('rejects a start with %s', async (query) => {
  const start = `/api/v1/auth/github?frontend_url=${encodeURIComponent(FRONTEND_URL)}&${query}`;
  const response = await service.get(start);
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ title: 'Invalid Request' });
});

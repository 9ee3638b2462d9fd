import { FRONTEND_URL, useAccountService } from '../../support/running-account-service.ts';
import { approve, beginSignIn, openCallback } from '../../support/partial-sign-in.ts';

const service = useAccountService();

const unknownAttempt = {
  title: 'Invalid Request',
  detail: 'This browser started no such sign-in, or it has ended or is older than 10 minutes; start again.',
};

async function expectUnknownAttempt(response: Response): Promise<void> {
  expect(response.status).toBe(400);
  expect(response.headers.get('location')).toBeNull();
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(await response.text()).toContain(unknownAttempt.detail);
}

test('returns errors as JSON to a client that does not accept HTML', async () => {
  const attempt = await beginSignIn(service);
  const callback = await approve(service, attempt, 'ada@acme.example');
  for (const accept of ['application/json', '*/*']) {
    const response = await openCallback(callback, undefined, accept);
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual(unknownAttempt);
  }
});

test('works only in the browser that started the sign-in', async () => {
  const attempt = await beginSignIn(service);
  const callback = await approve(service, attempt, 'ada@acme.example');
  const other = await beginSignIn(service);
  await expectUnknownAttempt(await openCallback(callback));
  await expectUnknownAttempt(await openCallback(callback, '__Host-sign-in='));
  await expectUnknownAttempt(await openCallback(callback, other.cookie));
  await expectUnknownAttempt(await openCallback(callback, `${attempt.cookie}; ${other.cookie}`));
  await expectUnknownAttempt(
    await openCallback(callback, attempt.cookie.replace('__Host-', '\u00a0__Host-')),
  );
  const response = await openCallback(callback, attempt.cookie);
  expect(response.headers.get('location')).toMatch(
    /^http:\/\/localhost:3000\/auth\/callback\?code=[\w-]{43}$/,
  );
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(response.headers.get('referrer-policy')).toBe('no-referrer');
});

test('HEAD does not use up the sign-in', async () => {
  const attempt = await beginSignIn(service);
  const callback = await approve(service, attempt, 'ada@acme.example');
  const headers = { cookie: attempt.cookie };
  const head = await fetch(callback, { method: 'HEAD', redirect: 'manual', headers });
  expect([head.status, head.headers.get('location')]).toEqual([204, null]);
  expect((await openCallback(callback, attempt.cookie)).headers.get('location')).toContain('?code=');
});

test('accepts a state once, even with concurrent callbacks', async () => {
  const attempt = await beginSignIn(service);
  const callback = await approve(service, attempt, 'ada@acme.example');
  const responses = await Promise.all(
    Array.from({ length: 20 }, () => openCallback(callback, attempt.cookie)),
  );
  expect(responses.map(({ status }) => status).sort()).toEqual([302, ...Array(19).fill(400)]);
});

test('rejects the state of another provider', async () => {
  const attempt = await beginSignIn(service, 'github');
  const callback = await approve(service, attempt, 'ada@acme.example');
  callback.pathname = '/api/v1/auth/google/callback';
  await expectUnknownAttempt(await openCallback(callback, attempt.cookie));
});

test.each(['', 'forged', 'x'.repeat(43)])('rejects the state "%s"', async (state) => {
  const attempt = await beginSignIn(service);
  const callback = await approve(service, attempt, 'ada@acme.example');
  callback.searchParams.set('state', state);
  await expectUnknownAttempt(await openCallback(callback, attempt.cookie));
});

test('rejects a repeated state', async () => {
  const attempt = await beginSignIn(service);
  const callback = await approve(service, attempt, 'ada@acme.example');
  callback.searchParams.append('state', attempt.state);
  await expectUnknownAttempt(await openCallback(callback, attempt.cookie));
});

test('lets two tabs of one browser sign in concurrently', async () => {
  const first = await beginSignIn(service);
  const second = await beginSignIn(service, 'google', first.cookie);
  const ofFirst = await approve(service, first, 'ada@acme.example');
  const ofSecond = await approve(service, second, 'ada@acme.example');
  expect((await openCallback(ofSecond, first.cookie)).headers.get('location')).toContain('code=');
  expect((await openCallback(ofFirst, first.cookie)).headers.get('location')).toContain('code=');
});

test('redirects with the error when the user or the provider denies the sign-in', async () => {
  for (const [error, reported] of [
    ['access_denied', 'access_denied'],
    ['server_error', 'provider_error'],
    ['<script>', 'provider_error'],
  ] as const) {
    const attempt = await beginSignIn(service);
    const callback = new URL(`${service.url}/api/v1/auth/github/callback`);
    callback.search = new URLSearchParams({ error, state: attempt.state }).toString();
    const response = await openCallback(callback, attempt.cookie);
    expect(response.status).toBe(302);
    expect(response.headers.get('location')).toBe(`${FRONTEND_URL}/auth/callback?error=${reported}`);
  }
});

test('redirects with an error when the provider rejects the code', async () => {
  const attempt = await beginSignIn(service);
  const callback = new URL(`${service.url}/api/v1/auth/github/callback?code=invented&state=${attempt.state}`);
  const response = await openCallback(callback, attempt.cookie);
  expect(response.headers.get('location')).toBe(`${FRONTEND_URL}/auth/callback?error=provider_error`);
});

test('the provider rejects a code without its PKCE verifier', async () => {
  const attempt = await beginSignIn(service);
  const callback = await approve(service, attempt, 'ada@acme.example');
  // Injects the code of one sign-in into another one of the same browser.
  const other = await beginSignIn(service, 'github', attempt.cookie);
  callback.searchParams.set('state', other.state);
  const response = await openCallback(callback, attempt.cookie);
  expect(response.headers.get('location')).toBe(`${FRONTEND_URL}/auth/callback?error=provider_error`);
});

test('expires after 10 minutes', () =>
  service.clock.withFrozenTime(async () => {
    const inTime = await beginSignIn(service);
    const late = await beginSignIn(service);
    const [ofInTime, ofLate] = await Promise.all([
      approve(service, inTime, 'ada@acme.example'),
      approve(service, late, 'ada@acme.example'),
    ]);
    await service.clock.advance(599);
    expect((await openCallback(ofInTime, inTime.cookie)).status).toBe(302);
    await service.clock.advance(2);
    await expectUnknownAttempt(await openCallback(ofLate, late.cookie));
  }));

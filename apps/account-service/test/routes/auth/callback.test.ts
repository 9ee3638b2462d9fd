import { FRONTEND_URL, RunningAccountService } from '../../support/running-account-service.ts';
import { approve, beginSignIn, openCallback } from '../../support/sign-in-leg.ts';

let service: RunningAccountService;

beforeAll(async () => {
  service = await RunningAccountService.start();
});

afterAll(() => service.stop());

const notYours = {
  title: 'Invalid Request',
  detail: 'This browser began no such sign-in, or it is over or older than 10 minutes; start again.',
};

async function expectNotYours(answer: Response): Promise<void> {
  expect(answer.status).toBe(400);
  expect(answer.headers.get('location')).toBeNull();
  expect(await answer.json()).toEqual(notYours);
}

test('is for the browser that began the sign-in, alone', async () => {
  const leg = await beginSignIn(service);
  const callback = await approve(service, leg, 'ada@acme.example');
  const stranger = await beginSignIn(service);
  await expectNotYours(await openCallback(callback));
  await expectNotYours(await openCallback(callback, '__Host-sign-in='));
  await expectNotYours(await openCallback(callback, stranger.cookie));
  await expectNotYours(await openCallback(callback, `${leg.cookie}; ${stranger.cookie}`));
  await expectNotYours(await openCallback(callback, leg.cookie.replace('__Host-', '\u00a0__Host-')));
  const answer = await openCallback(callback, leg.cookie);
  expect(answer.headers.get('location')).toMatch(/^http:\/\/localhost:3000\/auth\/callback\?code=[\w-]{43}$/);
  expect(answer.headers.get('cache-control')).toBe('no-store');
  expect(answer.headers.get('referrer-policy')).toBe('no-referrer');
});

test('takes a state once, also when the browser comes back many times at once', async () => {
  const leg = await beginSignIn(service);
  const callback = await approve(service, leg, 'ada@acme.example');
  const answers = await Promise.all(Array.from({ length: 20 }, () => openCallback(callback, leg.cookie)));
  expect(answers.map(({ status }) => status).sort()).toEqual([302, ...Array(19).fill(400)]);
});

test('takes a state at the provider that it was made for', async () => {
  const leg = await beginSignIn(service, 'github');
  const callback = await approve(service, leg, 'ada@acme.example');
  callback.pathname = '/api/v1/auth/google/callback';
  await expectNotYours(await openCallback(callback, leg.cookie));
});

test.each(['', 'forged', 'x'.repeat(43)])('refuses the state "%s"', async (state) => {
  const leg = await beginSignIn(service);
  const callback = await approve(service, leg, 'ada@acme.example');
  callback.searchParams.set('state', state);
  await expectNotYours(await openCallback(callback, leg.cookie));
});

test('refuses a repeated state', async () => {
  const leg = await beginSignIn(service);
  const callback = await approve(service, leg, 'ada@acme.example');
  callback.searchParams.append('state', leg.state);
  await expectNotYours(await openCallback(callback, leg.cookie));
});

test('lets two tabs of one browser sign in side by side', async () => {
  const first = await beginSignIn(service);
  const second = await beginSignIn(service, 'google', first.cookie);
  const ofFirst = await approve(service, first, 'ada@acme.example');
  const ofSecond = await approve(service, second, 'ada@acme.example');
  expect((await openCallback(ofSecond, first.cookie)).headers.get('location')).toContain('code=');
  expect((await openCallback(ofFirst, first.cookie)).headers.get('location')).toContain('code=');
});

test('sends the browser back with the error when the person or the provider says no', async () => {
  for (const [error, reported] of [
    ['access_denied', 'access_denied'],
    ['server_error', 'provider_error'],
    ['<script>', 'provider_error'],
  ] as const) {
    const leg = await beginSignIn(service);
    const callback = new URL(`${service.url}/api/v1/auth/github/callback`);
    callback.search = new URLSearchParams({ error, state: leg.state }).toString();
    const answer = await openCallback(callback, leg.cookie);
    expect(answer.status).toBe(302);
    expect(answer.headers.get('location')).toBe(`${FRONTEND_URL}/auth/callback?error=${reported}`);
  }
});

test('sends the browser back with the error when the provider does not know the code', async () => {
  const leg = await beginSignIn(service);
  const callback = new URL(`${service.url}/api/v1/auth/github/callback?code=invented&state=${leg.state}`);
  const answer = await openCallback(callback, leg.cookie);
  expect(answer.headers.get('location')).toBe(`${FRONTEND_URL}/auth/callback?error=provider_error`);
});

test('a code without our PKCE verifier is of no use at the provider', async () => {
  const leg = await beginSignIn(service);
  const callback = await approve(service, leg, 'ada@acme.example');
  // The code of one sign-in injected into another one of the same browser.
  const other = await beginSignIn(service, 'github', leg.cookie);
  callback.searchParams.set('state', other.state);
  const answer = await openCallback(callback, leg.cookie);
  expect(answer.headers.get('location')).toBe(`${FRONTEND_URL}/auth/callback?error=provider_error`);
});

test('is over after 10 minutes', () =>
  service.clock.standingStill(async () => {
    const inTime = await beginSignIn(service);
    const late = await beginSignIn(service);
    const [ofInTime, ofLate] = await Promise.all([
      approve(service, inTime, 'ada@acme.example'),
      approve(service, late, 'ada@acme.example'),
    ]);
    service.clock.moveOn(599);
    expect((await openCallback(ofInTime, inTime.cookie)).status).toBe(302);
    service.clock.moveOn(2);
    await expectNotYours(await openCallback(ofLate, late.cookie));
  }));

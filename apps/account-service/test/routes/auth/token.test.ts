import {
  FRONTEND_URL,
  RunningAccountService,
  type SessionTokens,
} from '../../support/running-account-service.ts';

let service: RunningAccountService;

beforeAll(async () => {
  service = await RunningAccountService.start();
});

afterAll(() => service.stop());

const ada = () => service.signInForCode('ada@acme.example');

const invalidCode = {
  title: 'Invalid Code',
  detail:
    'The code is not known, was used, is older than a minute, or redirect_uri is not the frontend_url that the ' +
    'sign-in began with; sign in again.',
};

async function expectInvalidCode(answer: Response): Promise<void> {
  expect(answer.status).toBe(401);
  expect(answer.headers.get('cache-control')).toBe('no-store');
  expect(await answer.json()).toEqual(invalidCode);
}

test('a code that never was is refused', async () => {
  for (const code of [
    '',
    'x',
    'x'.repeat(43),
    'x'.repeat(10_000),
    "' OR 1=1 --",
    'x\0',
    `${'x'.repeat(43)}\ud800`,
  ]) {
    await expectInvalidCode(await service.redeem(code));
  }
});

test('a code works once; its replay is refused, and leaves the session alone', async () => {
  const code = await ada();
  const first = (await (await service.redeem(code)).json()) as SessionTokens;
  await expectInvalidCode(await service.redeem(code));
  expect((await service.get('/api/v1/me', first.access_token)).status).toBe(200);
  const replays = await service.database.asOwner.query({
    text: "SELECT user_id FROM account.audit_events WHERE action = 'code_replayed'",
  });
  expect(replays).toEqual([{ user_id: 1 }]);
});

test('one hundred redemptions of one code at once: one succeeds', async () => {
  const code = await ada();
  const answers = await Promise.all(Array.from({ length: 100 }, () => service.redeem(code)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(answers.filter(({ status }) => status === 401)).toHaveLength(99);
});

test('a wrong redirect_uri racing the right one never gives two sessions', async () => {
  for (let round = 0; round < 10; round += 1) {
    const code = await ada();
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        service.redeem(code, index % 2 === 0 ? FRONTEND_URL : 'https://evil.example'),
      ),
    );
    expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
    expect(answers.every(({ status }) => status === 200 || status === 401)).toBe(true);
  }
});

const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);

const postText = (body: string) =>
  fetch(`${service.url}/api/v1/auth/token`, {
    method: 'POST',
    headers: { accept: 'application/json', 'content-type': 'application/json' },
    body,
  });

describe('whatever is wrong with an attempt, the code is burned', () => {
  test.each<[string, (code: string) => Promise<Response>, number, string]>([
    ['another redirect_uri', (code) => service.redeem(code, 'http://localhost:3001'), 401, 'Invalid Code'],
    ['a trailing slash', (code) => service.redeem(code, `${FRONTEND_URL}/`), 401, 'Invalid Code'],
    ['no redirect_uri', (code) => service.post('/api/v1/auth/token', { code }), 401, 'Invalid Code'],
    [
      'a redirect_uri that is no text',
      (code) => service.post('/api/v1/auth/token', { code, redirect_uri: [FRONTEND_URL] }),
      401,
      'Invalid Code',
    ],
    [
      'an unknown field',
      (code) => service.post('/api/v1/auth/token', { code, redirect_uri: FRONTEND_URL, scope: 'all' }),
      400,
      'Invalid Request',
    ],
    [
      'an unknown field that would set a prototype',
      (code) =>
        postText(`{"code":"${code}","redirect_uri":"${FRONTEND_URL}","__proto__":{"redirect_uri":"x"}}`),
      400,
      'Invalid Request',
    ],
    ['a redirect_uri with a NUL', (code) => service.redeem(code, `${FRONTEND_URL}\0`), 401, 'Invalid Code'],
    [
      'a redirect_uri with a lone surrogate',
      (code) => postText(`{"code":"${code}","redirect_uri":"\\ud800"}`),
      401,
      'Invalid Code',
    ],
    [
      'a redirect_uri nested too deep',
      (code) => postText(`{"code":"${code}","redirect_uri":${nested(40)}}`),
      401,
      'Invalid Code',
    ],
    [
      'a redirect_uri nested as deep as a body can',
      (code) => postText(`{"code":"${code}","redirect_uri":${nested(30_000)}}`),
      401,
      'Invalid Code',
    ],
    [
      'an unknown field with a NUL in its name',
      (code) => postText(`{"code":"${code}","redirect_uri":"${FRONTEND_URL}","\\u0000":1}`),
      401,
      'Invalid Code',
    ],
    [
      'a NUL in the query string',
      (code) => service.post('/api/v1/auth/token?x=%00', { code, redirect_uri: FRONTEND_URL }),
      401,
      'Invalid Code',
    ],
    [
      'cookies without an allowed origin',
      (code) => service.post('/api/v1/auth/token', { code, redirect_uri: FRONTEND_URL }, { accept: '*/*' }),
      403,
      'Forbidden',
    ],
  ])('%s', async (_, attempt, status, title) => {
    const code = await ada();
    const answer = await attempt(code);
    expect(answer.status).toBe(status);
    expect(await answer.json()).toMatchObject({ title });
    await expectInvalidCode(await service.redeem(code));
  });

  test('and it is in the audit, once for each attempt', async () => {
    const refusals = () =>
      service.database.asOwner.query({
        text: `SELECT action, user_id, network FROM account.audit_events
                WHERE action IN ('code_refused', 'code_replayed') ORDER BY id DESC LIMIT 2`,
      });
    const code = await ada();
    await service.redeem(code, `${FRONTEND_URL}\0`);
    await service.redeem(code);
    expect(await refusals()).toEqual([
      { action: 'code_replayed', user_id: 1, network: '127.0.0.1' },
      { action: 'code_refused', user_id: 1, network: '127.0.0.1' },
    ]);
    await expectInvalidCode(await service.redeem(`${code}\0`));
    expect((await refusals())[0]).toEqual({ action: 'code_refused', user_id: null, network: '127.0.0.1' });
  });

  test('a user or customer disabled in the meantime', async () => {
    for (const change of [
      "UPDATE account.users SET disabled_at = %s WHERE email = 'vera@acme.example'",
      'UPDATE account.customers SET active = %s WHERE id = 1',
    ]) {
      const users = change.includes('users');
      const code = await service.signInForCode('vera@acme.example');
      await service.database.asOwner.query({ text: change.replace('%s', users ? 'now()' : 'false') });
      await expectInvalidCode(await service.redeem(code));
      await service.database.asOwner.query({ text: change.replace('%s', users ? 'NULL' : 'true') });
      await expectInvalidCode(await service.redeem(code));
    }
  });
});

test('a code is good for a minute', () =>
  service.clock.standingStill(async () => {
    const [inTime, late] = [await ada(), await ada()];
    service.clock.moveOn(59);
    expect((await service.redeem(inTime)).status).toBe(200);
    service.clock.moveOn(2);
    await expectInvalidCode(await service.redeem(late));
  }));

test.each<[string, unknown, string]>([
  ['no code', { redirect_uri: FRONTEND_URL }, 'code must be a string.'],
  ['a code that is no text', { code: 7, redirect_uri: FRONTEND_URL }, 'code must be a string.'],
  ['a list', [], 'Send a JSON object as the body.'],
  ['a text', 'code', 'Send a JSON object as the body.'],
  ['null', null, 'Send a JSON object as the body.'],
  ['a NUL and no code', { redirect_uri: '\0' }, 'A text in the body contains a NUL character; remove it.'],
  ['a NUL and nothing else', '\0', 'A text in the body contains a NUL character; remove it.'],
])('a body with %s is a bad request', async (_, body, detail) => {
  const answer = await service.post('/api/v1/auth/token', body);
  expect(answer.status).toBe(400);
  expect(await answer.json()).toEqual({ title: 'Invalid Request', detail });
});

test('a body that is not JSON is refused as such', async () => {
  const form = new URLSearchParams({ code: 'x', redirect_uri: FRONTEND_URL });
  for (const [type, body] of [
    ['application/x-www-form-urlencoded', form.toString()],
    ['text/plain', '{}'],
    ['application/jsonp', '{}'],
  ] as const) {
    const answer = await fetch(`${service.url}/api/v1/auth/token`, {
      method: 'POST',
      headers: { accept: 'application/json', 'content-type': type },
      body,
    });
    expect(answer.status).toBe(415);
    expect(await answer.json()).toMatchObject({ title: 'Unsupported Media Type' });
  }
  const broken = await fetch(`${service.url}/api/v1/auth/token`, {
    method: 'POST',
    headers: { accept: 'application/json', 'content-type': 'application/json' },
    body: '{"code":',
  });
  expect(broken.status).toBe(400);
  expect(await broken.json()).toMatchObject({ title: 'Invalid Request' });
});

test('nothing secret lies in the database in the clear', async () => {
  const { access_token: access, refresh_token: refresh } = await service.session('ada@acme.example');
  const code = await ada();
  const tables = await service.database.asOwner.query<{ name: string }>({
    text: "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'account'",
  });
  let dump = '';
  for (const { name } of tables) {
    const rows = await service.database.asOwner.query<{ row: string }>({
      text: `SELECT row_to_json(t)::text AS row FROM account.${name} AS t`,
    });
    dump += rows.map(({ row }) => row).join('\n');
  }
  expect(dump).toContain('ada@acme.example');
  for (const secret of [access, refresh, code]) {
    expect(dump).not.toContain(secret);
    expect(dump).not.toContain(Buffer.from(secret).toString('hex'));
    expect(dump).not.toContain(Buffer.from(secret, 'base64url').toString('hex'));
  }
  expect(dump).not.toContain('PRIVATE KEY');
});

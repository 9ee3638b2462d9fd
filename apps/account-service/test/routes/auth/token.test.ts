import {
  FRONTEND_URL,
  useAccountService,
  type SessionTokens,
} from '../../support/running-account-service.ts';

const service = useAccountService();

const ada = () => service.signInForCode('ada@acme.example');

const invalidCode = {
  title: 'Invalid Code',
  detail:
    'The code is unknown, used or older than a minute, redirect_uri differs from the frontend_url of the sign-in, or ' +
    'another browser or client started it; sign in again.',
};

async function expectInvalidCode(response: Response): Promise<void> {
  expect(response.status).toBe(401);
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(await response.json()).toEqual(invalidCode);
}

test('rejects an unknown code', async () => {
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

test('a code works once; a replay is rejected and does not affect the session', async () => {
  const code = await ada();
  const first = (await (await service.redeem(code)).json()) as SessionTokens;
  await expectInvalidCode(await service.redeem(code));
  expect((await service.get('/api/v1/me', first.access_token)).status).toBe(200);
  const replays = await service.database.asOwner.query({
    text: "SELECT user_id FROM account.audit_events WHERE action = 'code_replayed'",
  });
  expect(replays).toEqual([{ user_id: 1 }]);
});

const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);

const postText = (body: string | Uint8Array<ArrayBuffer>, contentType = 'application/json') =>
  fetch(`${service.url}/api/v1/auth/token`, {
    method: 'POST',
    headers: { accept: 'application/json', 'content-type': contentType },
    body,
  });
const jsonOf = (code: string) => JSON.stringify({ code, redirect_uri: FRONTEND_URL });

describe('every failed attempt burns the code', () => {
  test.each<[string, (code: string) => Promise<Response>, number, string]>([
    ['another redirect_uri', (code) => service.redeem(code, 'http://localhost:3001'), 401, 'Invalid Code'],
    ['a trailing slash', (code) => service.redeem(code, `${FRONTEND_URL}/`), 401, 'Invalid Code'],
    ['no redirect_uri', (code) => service.post('/api/v1/auth/token', { code }), 401, 'Invalid Code'],
    [
      'a redirect_uri that is no string',
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
    ['truncated JSON', (code) => postText(jsonOf(code).slice(0, -1)), 400, 'Invalid Request'],
    [
      'JSON that is not UTF-8',
      (code) => postText(new Uint8Array(Buffer.from(`${jsonOf(code)}\xff`, 'latin1'))),
      400,
      'Invalid Request',
    ],
    ['a body over 64 KiB', (code) => postText(jsonOf(code).padEnd(65_537)), 413, 'Payload Too Large'],
    [
      'a form',
      (code) => postText(`redirect_uri=x&code=${code}`, 'application/x-www-form-urlencoded'),
      415,
      'Unsupported Media Type',
    ],
    [
      'a multipart form',
      (code) =>
        postText(
          `--b\r\nContent-Disposition: form-data; name="code"\r\n\r\n${code}\r\n--b--`,
          'multipart/form-data; boundary=b',
        ),
      415,
      'Unsupported Media Type',
    ],
    [
      'a large body that is not JSON',
      (code) => postText(jsonOf(code).padEnd(1_048_576), 'text/plain'),
      415,
      'Unsupported Media Type',
    ],
    [
      'cookies without an allowed origin',
      (code) => service.post('/api/v1/auth/token', { code, redirect_uri: FRONTEND_URL }, { accept: '*/*' }),
      403,
      'Forbidden',
    ],
  ])('%s', async (_, attempt, status, title) => {
    const code = await ada();
    const response = await attempt(code);
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ title });
    await expectInvalidCode(await service.redeem(code));
  });

  test('and audits each attempt once', async () => {
    const rejections = () =>
      service.database.asOwner.query({
        text: `SELECT action, user_id, network FROM account.audit_events
                WHERE action IN ('code_rejected', 'code_replayed') ORDER BY id DESC LIMIT 2`,
      });
    const code = await ada();
    await service.redeem(code, `${FRONTEND_URL}\0`);
    await service.redeem(code);
    expect(await rejections()).toEqual([
      { action: 'code_replayed', user_id: 1, network: '127.0.0.1' },
      { action: 'code_rejected', user_id: 1, network: '127.0.0.1' },
    ]);
    await expectInvalidCode(await service.redeem(`${code}\0`));
    expect((await rejections())[0]).toEqual({ action: 'code_rejected', user_id: null, network: '127.0.0.1' });
  });

  test('a user or customer that was disabled', async () => {
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

test('a code expires after a minute', () =>
  service.clock.withFrozenTime(async () => {
    const [inTime, late] = [await ada(), await ada()];
    await service.clock.advance(59);
    expect((await service.redeem(inTime)).status).toBe(200);
    await service.clock.advance(2);
    await expectInvalidCode(await service.redeem(late));
  }));

test.each<[string, unknown, string]>([
  ['no code', { redirect_uri: FRONTEND_URL }, 'code must be a string.'],
  ['a code that is no string', { code: 7, redirect_uri: FRONTEND_URL }, 'code must be a string.'],
  ['an array', [], 'Send a JSON object as the body.'],
  ['a string', 'code', 'Send a JSON object as the body.'],
  ['null', null, 'Send a JSON object as the body.'],
  ['a NUL and no code', { redirect_uri: '\0' }, 'A text in the body contains a NUL character; remove it.'],
  ['a NUL and nothing else', '\0', 'A text in the body contains a NUL character; remove it.'],
])('rejects a body with %s', async (_, body, detail) => {
  const response = await service.post('/api/v1/auth/token', body);
  expect(response.status).toBe(400);
  expect(await response.json()).toEqual({ title: 'Invalid Request', detail });
});

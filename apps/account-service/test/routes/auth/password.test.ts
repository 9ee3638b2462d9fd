import { hashPassword } from '../../../src/sign-in/passwords/password-hash.ts';
import { setPassword } from '../../../src/sign-in/passwords/passwords.queries.ts';
import {
  FRONTEND_URL,
  RunningAccountService,
  useAccountService,
} from '../../support/running-account-service.ts';

const ADA = 'ada@acme.example';
const PASSWORD = 'correct horse battery stäple';
const WRONG = { title: 'Unauthorized', detail: 'The email address or the password is wrong.' };

const service = useAccountService({
  environment: { PASSWORD_SIGN_IN: 'true', TRUSTED_PROXIES: '127.0.0.0/8' },
});

beforeAll(async () => {
  await service.session(ADA);
  await service.session('grace@globex.example');
  for (const [id, password] of [
    [1, PASSWORD],
    [2, PASSWORD],
  ] as const) {
    await setPassword(service.database.asOwner, id, await hashPassword(password));
  }
});

const sql = (text: string) => service.database.asOwner.query({ text });
const signIn = (email: string, password: string, frontendUrl: unknown = FRONTEND_URL) =>
  service.post('/api/v1/auth/password', { email, password, frontend_url: frontendUrl });
const signInFrom = (network: string, password: string, email = ADA) =>
  service.post(
    '/api/v1/auth/password',
    { email, password, frontend_url: FRONTEND_URL },
    { 'x-forwarded-for': network },
  );

test('returns a code that is exchanged like that of a provider', async () => {
  const response = await signIn('Ada@acme.example', PASSWORD);
  expect(response.status).toBe(200);
  expect(response.headers.get('cache-control')).toBe('no-store');
  const { code } = (await response.json()) as { code: string };
  const exchanged = await service.redeem(code);
  expect(exchanged.status).toBe(200);
  const { access_token: token, refresh_token: refresh } = (await exchanged.json()) as {
    access_token: string;
    refresh_token: string;
  };
  expect(await (await service.get('/api/v1/me', token)).json()).toMatchObject({ user: { email: ADA } });
  expect((await service.refresh(refresh)).status).toBe(200);
  expect((await service.redeem(code)).status).toBe(401);
});

test('accepts any Unicode normalization form of the password', async () => {
  expect((await signIn(ADA, PASSWORD.normalize('NFD'))).status).toBe(200);
});

test('is listed by GET /auth/methods', async () => {
  expect(await (await service.get('/api/v1/auth/methods')).json()).toMatchObject({
    methods: [
      { id: 'github' },
      { id: 'google' },
      {
        id: 'password',
        type: 'password',
        name: 'Email and password',
        url: `${service.url}/api/v1/auth/password`,
      },
    ],
  });
});

test('returns the same response for a wrong password, an unknown address and an address without a password', async () => {
  for (const [email, password] of [
    [ADA, 'wrong'],
    [ADA, ''],
    ['unknown@acme.example', PASSWORD],
    ['unknown@unknown.example', PASSWORD],
    ['no address', PASSWORD],
    ['', ''],
  ] as const) {
    const response = await signIn(email, password);
    expect(response.status).toBe(401);
    expect(await response.json()).toEqual(WRONG);
  }
});

test('an unknown address takes as long as a wrong password', async () => {
  const timeOf = async (email: string) => {
    await sql('DELETE FROM account.password_attempts');
    const start = performance.now();
    await signIn(email, 'wrong');
    return performance.now() - start;
  };
  // Compares the fastest of each: other load only adds time. A busy machine gets more rounds, which cannot hide a
  // response that is always fast.
  const known: number[] = [];
  const unknown: number[] = [];
  const ratio = () => Math.min(...unknown) / Math.min(...known);
  for (let index = 0; index < 5 || (index < 60 && !(ratio() > 0.5 && ratio() < 2)); index += 1) {
    known.push(await timeOf(ADA));
    unknown.push(await timeOf(`unknown-${index}@acme.example`));
  }
  expect(ratio()).toBeGreaterThan(0.5);
  expect(ratio()).toBeLessThan(2);
});

test.each([ADA, 'unknown@acme.example'])(
  '%s is locked with exponential backoff, even for the correct password',
  async (email) => {
    await sql('DELETE FROM account.password_attempts');
    const lockedFor = async () => {
      const response = await signIn(email, PASSWORD);
      expect(response.status).toBe(429);
      expect(await response.json()).toMatchObject({ title: 'Too Many Requests' });
      return Number(response.headers.get('retry-after'));
    };
    for (let attempts = 0; attempts < 5; attempts += 1)
      expect((await signIn(email, 'wrong')).status).toBe(401);
    for (const seconds of [30, 60, 120, 240, 480, 900, 900]) {
      const lockSeconds = await lockedFor();
      expect(lockSeconds).toBeGreaterThan(seconds - 10);
      expect(lockSeconds).toBeLessThanOrEqual(seconds);
      await service.clock.advance(seconds + 1);
      expect((await signIn(email, 'wrong')).status).toBe(401);
    }
  },
);

test('a lock applies to one network, and its audit row names the user', async () => {
  await sql('DELETE FROM account.password_attempts');
  for (let attempts = 0; attempts < 5; attempts += 1) await signInFrom('203.0.113.7', 'wrong');
  expect((await signInFrom('203.0.113.7', PASSWORD)).status).toBe(429);
  expect((await signInFrom('203.0.113.8', PASSWORD)).status).toBe(200);
  expect(
    await sql(`SELECT customer_id, user_id, network FROM account.audit_events
                WHERE action = 'password_locked' ORDER BY id DESC LIMIT 1`),
  ).toEqual([{ customer_id: 1, user_id: 1, network: '203.0.113.7' }]);
});

test.each([ADA, 'unknown@acme.example'])(
  '100 wrong attempts from different networks lock %s for unknown networks only',
  async (email) => {
    await sql('DELETE FROM account.password_attempts');
    expect((await signInFrom('203.0.113.8', PASSWORD)).status).toBe(200);
    // Four attempts per network lock no single one.
    for (let round = 0; round < 25; round += 1) {
      const networks = Array.from({ length: 4 }, (_, index) => `198.51.100.${(round % 7) * 4 + index}`);
      const responses = await Promise.all(networks.map((network) => signInFrom(network, 'wrong', email)));
      expect(responses.map(({ status }) => status)).toEqual([401, 401, 401, 401]);
    }
    expect((await signInFrom('198.51.100.99', PASSWORD, email)).status).toBe(429);
    expect((await signInFrom('203.0.113.8', PASSWORD)).status).toBe(200);
  },
);

test('the correct password resets the count', async () => {
  await sql('DELETE FROM account.password_attempts');
  for (let round = 0; round < 3; round += 1) {
    for (let attempts = 0; attempts < 4; attempts += 1) expect((await signIn(ADA, 'wrong')).status).toBe(401);
    expect((await signIn(ADA, PASSWORD)).status).toBe(200);
  }
});

test('checks five of 50 concurrent attempts', async () => {
  await sql('DELETE FROM account.password_attempts');
  const responses = await Promise.all(Array.from({ length: 50 }, () => signIn(ADA, 'wrong')));
  const statuses = responses.map(({ status }) => status);
  expect(statuses.filter((status) => status === 401)).toHaveLength(5);
  expect(statuses.filter((status) => status === 429)).toHaveLength(45);
  await sql('DELETE FROM account.password_attempts');
});

test.each([
  [
    'UPDATE account.users SET disabled_at = now() WHERE id = 1',
    'UPDATE account.users SET disabled_at = NULL',
    'Forbidden',
  ],
  [
    'UPDATE account.customers SET active = false WHERE id = 1',
    'UPDATE account.customers SET active = true WHERE id = 1',
    'domain_not_allowed',
  ],
  [
    "DELETE FROM account.customer_domains WHERE domain = 'acme.example'",
    "INSERT INTO account.customer_domains VALUES ('acme.example', 1)",
    'domain_not_allowed',
  ],
])('discloses a denial only with the correct password: %s', async (change, back, title) => {
  await sql(change);
  const response = await signIn(ADA, PASSWORD);
  expect([response.status, ((await response.json()) as { title: string }).title]).toEqual([403, title]);
  expect(await (await signIn(ADA, 'wrong')).json()).toEqual(WRONG);
  await sql(back);
});

test('a customer with a list of sign-in methods must include password', async () => {
  expect((await signIn('grace@globex.example', PASSWORD)).status).toBe(403);
  await sql("UPDATE account.customers SET sign_in_methods = '{github,password}' WHERE slug = 'globex'");
  expect((await signIn('grace@globex.example', PASSWORD)).status).toBe(200);
});

test('rejects a frontend_url that is not on the allowlist', async () => {
  for (const url of [undefined, '', 'http://localhost:3001', [FRONTEND_URL], `${FRONTEND_URL}/`]) {
    const response = await signIn(ADA, PASSWORD, url === undefined ? null : url);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ title: 'Invalid Frontend URL' });
  }
});

test.each([{ email: 1 }, { password: null }, { remember: true }, { password: 'x'.repeat(1001) }])(
  'rejects the body with %j',
  async (change) => {
    const response = await service.post('/api/v1/auth/password', {
      email: ADA,
      password: PASSWORD,
      frontend_url: FRONTEND_URL,
      ...change,
    });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ title: 'Invalid Request' });
  },
);

test('clearing a password ends the sessions', async () => {
  const { access_token: token } = await service.session(ADA);
  await expect(service.run('passwords', 'clear', ADA)).rejects.toThrow('repeat the command with --yes');
  expect(await service.run('passwords', 'clear', ADA, '--yes')).toBe(`${ADA}: password cleared`);
  await service.within2Seconds(async () => (await service.get('/api/v1/me', token)).status === 401);
  expect((await signIn(ADA, PASSWORD)).status).toBe(401);
});

test('responds with 404 unless the deployment enables it', async () => {
  const without = await RunningAccountService.start();
  try {
    const response = await without.post('/api/v1/auth/password', {});
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ title: 'Not Found' });
  } finally {
    await without.stop();
  }
});

import { hashPassword } from '../../../src/passwords/password-hash.ts';
import { checkPassword } from '../../../src/passwords/passwords.command.ts';
import { setPassword } from '../../../src/passwords/passwords.queries.ts';
import { operate } from '../../support/operations.ts';
import { FRONTEND_URL, RunningAccountService } from '../../support/running-account-service.ts';

const ADA = 'ada@acme.example';
const PASSWORD = 'correct horse battery stäple';
const WRONG = { title: 'Unauthorized', detail: 'The e-mail address or the password is not right.' };

let service: RunningAccountService;

beforeAll(async () => {
  service = await RunningAccountService.start({ environment: { PASSWORD_SIGN_IN: 'true' } });
  await service.session(ADA);
  await service.session('grace@globex.example');
  for (const [id, password] of [
    [1, PASSWORD],
    [2, PASSWORD],
  ] as const) {
    await setPassword(service.database.asOwner, id, await hashPassword(password));
  }
});

afterAll(() => service.stop());

const sql = (text: string) => service.database.asOwner.query({ text });
const signIn = (email: string, password: string, frontendUrl: unknown = FRONTEND_URL) =>
  service.post('/api/v1/auth/password', { email, password, frontend_url: frontendUrl });

test('gives a code that is exchanged like any other', async () => {
  const answer = await signIn('Ada@acme.example', PASSWORD);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('cache-control')).toBe('no-store');
  const { code } = (await answer.json()) as { code: string };
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

test('one spelling of a password may come in several forms', async () => {
  expect((await signIn(ADA, PASSWORD.normalize('NFD'))).status).toBe(200);
});

test('is listed among the methods', async () => {
  expect(await (await service.get('/api/v1/auth/methods')).json()).toMatchObject({
    methods: [
      { id: 'github' },
      { id: 'google' },
      {
        id: 'password',
        type: 'password',
        name: 'E-mail and password',
        url: `${service.url}/api/v1/auth/password`,
      },
    ],
  });
});

test('a wrong password, an unknown address and one without a password are one answer', async () => {
  for (const [email, password] of [
    [ADA, 'wrong'],
    [ADA, ''],
    ['nobody@acme.example', PASSWORD],
    ['nobody@unknown.example', PASSWORD],
    ['no address', PASSWORD],
    ['', ''],
  ] as const) {
    const answer = await signIn(email, password);
    expect(answer.status).toBe(401);
    expect(await answer.json()).toEqual(WRONG);
  }
});

test('an unknown address takes as long as a wrong password', async () => {
  const timeOf = async (email: string) => {
    await sql('DELETE FROM account.password_tries');
    const start = performance.now();
    await signIn(email, 'wrong');
    return performance.now() - start;
  };
  // One after the other, and the quickest of each: what else the machine does only ever adds time. So a busy one is
  // given more tries, and no number of them would hide that one answer is quick.
  const known: number[] = [];
  const unknown: number[] = [];
  const ratio = () => Math.min(...unknown) / Math.min(...known);
  for (let index = 0; index < 20 || (index < 60 && !(ratio() > 0.5 && ratio() < 2)); index += 1) {
    known.push(await timeOf(ADA));
    unknown.push(await timeOf(`nobody-${index}@acme.example`));
  }
  expect(ratio()).toBeGreaterThan(0.5);
  expect(ratio()).toBeLessThan(2);
});

test.each([ADA, 'nobody@acme.example'])(
  '%s is locked for longer and longer, and the right password does not help',
  async (email) => {
    await sql('DELETE FROM account.password_tries');
    const lockedFor = async () => {
      const answer = await signIn(email, PASSWORD);
      expect(answer.status).toBe(429);
      expect(await answer.json()).toMatchObject({ title: 'Too Many Requests' });
      return Number(answer.headers.get('retry-after'));
    };
    for (let tries = 0; tries < 5; tries += 1) expect((await signIn(email, 'wrong')).status).toBe(401);
    for (const seconds of [30, 60, 120, 240, 480, 900, 900]) {
      const told = await lockedFor();
      expect(told).toBeGreaterThan(seconds - 10);
      expect(told).toBeLessThanOrEqual(seconds);
      service.clock.moveOn(seconds + 1);
      expect((await signIn(email, 'wrong')).status).toBe(401);
    }
  },
);

test('a right password ends the count', async () => {
  await sql('DELETE FROM account.password_tries');
  for (let round = 0; round < 3; round += 1) {
    for (let tries = 0; tries < 4; tries += 1) expect((await signIn(ADA, 'wrong')).status).toBe(401);
    expect((await signIn(ADA, PASSWORD)).status).toBe(200);
  }
});

test('of 50 tries at once five are looked at', async () => {
  await sql('DELETE FROM account.password_tries');
  const answers = await Promise.all(Array.from({ length: 50 }, () => signIn(ADA, 'wrong')));
  const statuses = answers.map(({ status }) => status);
  expect(statuses.filter((status) => status === 401)).toHaveLength(5);
  expect(statuses.filter((status) => status === 429)).toHaveLength(45);
  await sql('DELETE FROM account.password_tries');
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
])('who may not sign in learns so with the right password only: %s', async (change, back, title) => {
  await sql(change);
  const answer = await signIn(ADA, PASSWORD);
  expect([answer.status, ((await answer.json()) as { title: string }).title]).toEqual([403, title]);
  expect(await (await signIn(ADA, 'wrong')).json()).toEqual(WRONG);
  await sql(back);
});

test('a customer that names its providers has to name the password too', async () => {
  expect((await signIn('grace@globex.example', PASSWORD)).status).toBe(403);
  await sql("UPDATE account.customers SET providers = '{github,password}' WHERE slug = 'globex'");
  expect((await signIn('grace@globex.example', PASSWORD)).status).toBe(200);
});

test('frontend_url must be on the allowlist', async () => {
  for (const url of [undefined, '', 'http://localhost:3001', [FRONTEND_URL], `${FRONTEND_URL}/`]) {
    const answer = await signIn(ADA, PASSWORD, url === undefined ? null : url);
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ title: 'Invalid Frontend URL' });
  }
});

test.each([{ email: 1 }, { password: null }, { remember: true }, { password: 'x'.repeat(1001) }])(
  'refuses the body with %j',
  async (change) => {
    const answer = await service.post('/api/v1/auth/password', {
      email: ADA,
      password: PASSWORD,
      frontend_url: FRONTEND_URL,
      ...change,
    });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ title: 'Invalid Request' });
  },
);

test('an operator takes a password away, which ends the sessions', async () => {
  const run = (...words: string[]) => operate({ OWNER_DATABASE_URL: service.database.ownerUrl }, ...words);
  const { access_token: token } = await service.session(ADA);
  await expect(run('passwords', 'clear', ADA)).rejects.toThrow('repeat the command with --yes');
  expect(await run('passwords', 'clear', ADA, '--yes')).toBe(`${ADA}: password cleared`);
  await service.within2Seconds(async () => (await service.get('/api/v1/me', token)).status === 401);
  expect((await signIn(ADA, PASSWORD)).status).toBe(401);
});

test('an operator’s password is one line of twelve characters at least', () => {
  expect(checkPassword('twelve chars\n')).toBe('twelve chars');
  for (const input of ['', 'short\n', 'two\nlines of text', 'x'.repeat(1001)]) {
    expect(() => checkPassword(input)).toThrow('must be one line of 12 to 1000 characters');
  }
});

test('is not there unless the deployment enables it', async () => {
  const without = await RunningAccountService.start();
  try {
    const answer = await without.post('/api/v1/auth/password', {});
    expect(answer.status).toBe(404);
    expect(await answer.json()).toMatchObject({ title: 'Not Found' });
  } finally {
    await without.stop();
  }
});

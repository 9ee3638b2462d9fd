import { FRONTEND_URL, useAccountService } from '../support/running-account-service.ts';

const ADA = 'ada@acme.example';
const PASSWORD = 'correct horse battery stäple';

const service = useAccountService({ environment: { PASSWORD_SIGN_IN: 'true' } });

const set = (email: string, input: string, ...options: string[]) =>
  service.runWithInput(input, 'passwords', 'set', email, ...options);
const signIn = (password: string) =>
  service.post('/api/v1/auth/password', { email: ADA, password, frontend_url: FRONTEND_URL });

test('an operator sets a password from standard input, and the user signs in with it', async () => {
  const before = await service.session(ADA);
  expect((await signIn(PASSWORD)).status).toBe(401);
  expect(await set(ADA, `${PASSWORD}\n`)).toBe(`${ADA}: password set`);
  await service.within2Seconds(
    async () => (await service.get('/api/v1/me', before.access_token)).status === 401,
  );

  const { code } = (await (await signIn(PASSWORD)).json()) as { code: string };
  const { access_token: token } = (await (await service.redeem(code)).json()) as { access_token: string };
  expect(await (await service.get('/api/v1/me', token)).json()).toMatchObject({ user: { email: ADA } });

  expect(JSON.parse(await set(ADA, 'another twelve', '--json'))).toEqual({
    action: 'password_set',
    user: ADA,
  });
  expect((await signIn(PASSWORD)).status).toBe(401);
  expect((await signIn('another twelve')).status).toBe(200);
});

test('setting a password burns pending authorization codes', async () => {
  await set(ADA, PASSWORD);
  const { code } = (await (await signIn(PASSWORD)).json()) as { code: string };
  await set(ADA, 'another twelve');
  expect((await service.redeem(code)).status).toBe(401);
});

test.each([
  ['nothing', ''],
  ['an empty line', '\n'],
  ['eleven characters', 'elevenchars'],
  ['1,001 characters', 'x'.repeat(1001)],
  ['two lines', 'twelve characters\nand more of them\n'],
  ['a control character', 'twelve\tcharacters'],
])('rejects %s as a password', async (_, input) => {
  await expect(set(ADA, input)).rejects.toThrow(
    'the password on standard input must be one line of 12 to 1000 characters',
  );
});

test.each([
  ['a common password', 'Password1234!', /commonly used/],
  ['a repeated word', 'acmeacmeacme', /user or service/],
  ['the address', 'Ada@acme.example', /user or service/],
  ['parts of the address', 'ada-acme-example-2026', /user or service/],
  ['the name of the service', 'gpu observatory', /user or service/],
  ['a keyboard row', 'qwertyuiop12', /commonly used/],
  ['a sequence', 'abcdefghijkl', /sequences/],
])('rejects %s as a password', async (_, input, weakness) => {
  await expect(set(ADA, input)).rejects.toThrow(/^the password is too easy to guess/);
  await expect(set(ADA, input)).rejects.toThrow(weakness);
});

test('setting a password ends a lock', async () => {
  await set(ADA, PASSWORD);
  for (let attempts = 0; attempts < 5; attempts += 1) await signIn('wrong');
  expect((await signIn(PASSWORD)).status).toBe(429);
  await set(ADA, PASSWORD);
  expect((await signIn(PASSWORD)).status).toBe(200);
});

test('rejects an unknown user and a password as an argument', async () => {
  await expect(set('unknown@acme.example', PASSWORD)).rejects.toThrow(
    'user unknown@acme.example does not exist; "users list" shows all users',
  );
  await expect(service.runWithInput('', 'passwords', 'set', ADA, PASSWORD)).rejects.toThrow(
    'too many arguments',
  );
});

test('neither output nor audit log contain a password or its hash', async () => {
  const printed = await service.run('audit', 'export');
  expect(printed).toContain('"action":"password_set"');
  for (const secret of [PASSWORD, 'another twelve', 'argon2']) expect(printed).not.toContain(secret);
});

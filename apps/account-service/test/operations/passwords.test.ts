import { FRONTEND_URL, RunningAccountService } from '../support/running-account-service.ts';
import { operate, operateWithInput } from '../support/operations.ts';

const ADA = 'ada@acme.example';
const PASSWORD = 'correct horse battery stäple';

let service: RunningAccountService;

beforeAll(async () => {
  service = await RunningAccountService.start({ environment: { PASSWORD_SIGN_IN: 'true' } });
});

afterAll(() => service.stop());

const environment = () => ({ OWNER_DATABASE_URL: service.database.ownerUrl, OPERATOR: 'olga' });
const set = (email: string, input: string, ...options: string[]) =>
  operateWithInput(environment(), input, 'passwords', 'set', email, ...options);
const signIn = (password: string) =>
  service.post('/api/v1/auth/password', { email: ADA, password, frontend_url: FRONTEND_URL });

test('an operator gives a password by standard input, and its user signs in with it', async () => {
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

test('a code from before a new password begins no session', async () => {
  await set(ADA, PASSWORD);
  const { code } = (await (await signIn(PASSWORD)).json()) as { code: string };
  await set(ADA, 'another twelve');
  expect((await service.redeem(code)).status).toBe(401);
});

test.each([
  ['nothing', ''],
  ['an empty line', '\n'],
  ['eleven characters', 'elevenchars'],
  ['two lines', 'twelve characters\nand more of them\n'],
  ['a control character', 'twelve\tcharacters'],
])('refuses %s as a password, and says what would be right', async (_, input) => {
  await expect(set(ADA, input)).rejects.toThrow(
    'the password on standard input must be one line of 12 to 1000 characters',
  );
});

test('refuses a user who is not there, and a password among the arguments', async () => {
  await expect(set('nobody@acme.example', PASSWORD)).rejects.toThrow(
    'there is no user nobody@acme.example; users list shows those there are',
  );
  await expect(operateWithInput(environment(), '', 'passwords', 'set', ADA, PASSWORD)).rejects.toThrow(
    'too many arguments',
  );
});

test('neither the password nor its hash is in what was printed or audited', async () => {
  const printed = await operate(environment(), 'audit', 'export');
  expect(printed).toContain('"action":"password_set"');
  for (const secret of [PASSWORD, 'another twelve', 'argon2']) expect(printed).not.toContain(secret);
});

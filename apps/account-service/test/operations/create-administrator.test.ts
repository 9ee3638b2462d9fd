import { FRONTEND_URL, useAccountService } from '../support/running-account-service.ts';

/** No provider: password sign-in alone. */
const service = useAccountService({
  environment: {
    PASSWORD_SIGN_IN: 'true',
    GITHUB_CLIENT_ID: '',
    GITHUB_CLIENT_SECRET: '',
    GOOGLE_CLIENT_ID: '',
    GOOGLE_CLIENT_SECRET: '',
  },
});

const create = (...args: string[]) => service.run('users', 'create-administrator', ...args);
const withPassword = (password: string, ...args: string[]) =>
  service.runWith({ ADMINISTRATOR_PASSWORD: password }, 'users', 'create-administrator', ...args);
const signIn = (email: string, password: string) =>
  service.post('/api/v1/auth/password', { email, password, frontend_url: FRONTEND_URL });

test('creates an administrator of a new customer, who signs in with the printed password', async () => {
  const output = await create('Olga@trial.example');
  expect(output).toMatch(/^\+ customer trial: name "trial"/);
  const [, password = ''] = /^password of olga@trial\.example: (\S+)$/m.exec(output) ?? [];
  const response = await signIn('olga@trial.example', password);
  expect(response.status).toBe(200);
  const { code } = (await response.json()) as { code: string };
  const { access_token: token } = (await (await service.redeem(code)).json()) as { access_token: string };
  expect(await (await service.get('/api/v1/me', token)).json()).toMatchObject({
    user: { email: 'olga@trial.example' },
  });
  expect(await service.run('workspaces', 'list')).toContain('trial/default\tDefault\t');
  expect(await (await service.get('/api/v1/auth/methods')).json()).toMatchObject({
    methods: [{ id: 'password' }],
  });
});

test('sets the password of the environment once, and changes nothing at a second run', async () => {
  const [email, first] = ['ada@second.example', 'a password of this test'];
  const created = await withPassword(first, email, '--customer', 'two', '--json');
  expect(JSON.parse(created)).toMatchObject({ user: email, password_set: true });
  expect(created).not.toContain(first);
  expect(await withPassword('another good password', email)).toBe(
    `nothing to change\n${email} already has a password; "passwords set" changes it`,
  );
  expect((await signIn(email, first)).status).toBe(200);
});

test('makes a user of an existing domain an administrator of its customer', async () => {
  const output = await create('vera@acme.example');
  expect(output).toMatch(/^\+ user acme: vera@acme\.example\n\+ administrator acme: vera@acme\.example\n/);
});

test.each([
  ['an invalid address', () => create('ada'), '"ada" is not an email address'],
  [
    'a domain of another customer',
    () => create('new@acme.example', '--customer', 'two'),
    'belongs to customer acme',
  ],
  ['a short password', () => withPassword('short', 'ada@x.example'), 'ADMINISTRATOR_PASSWORD must be'],
  ['a weak password', () => withPassword('Password1234!', 'ada@x.example'), 'too easy to guess'],
])('rejects %s', async (_what, run, message) => {
  await expect(run()).rejects.toThrow(message);
});

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
  expect(output).toMatch(/^\+ customer trial: name "trial".*, sign_in_methods \["password"\]/);
  const [, password = ''] = /^password of olga@trial\.example: (\S+)$/m.exec(output) ?? [];
  const response = await signIn('olga@trial.example', password);
  expect(response.status).toBe(200);
  const { code } = (await response.json()) as { code: string };
  const { access_token: token } = (await (await service.redeem(code)).json()) as { access_token: string };
  expect(await (await service.get('/api/v1/me', token)).json()).toMatchObject({
    user: { email: 'olga@trial.example' },
  });
  expect(await service.run('workspaces', 'list')).toContain('trial\tdefault\tDefault\t');
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
    `${email} exists, so nothing was changed; "users promote" makes the user an administrator, "passwords set" sets a password`,
  );
  expect((await signIn(email, first)).status).toBe(200);
});

test('a second run does not restore the access of a user whose password and role an operator removed', async () => {
  const [email, password] = ['olga@locked.example', 'a password of this test'];
  await withPassword(password, email);
  await service.run('passwords', 'clear', email, '--yes');
  await service.run('users', 'demote', email, '--yes');
  await service.run('domains', 'remove', 'locked.example', '--yes');
  const state = async () => [
    await service.run('users', 'list', '--json'),
    await service.run('customers', 'list', '--json'),
    await service.run('domains', 'list', '--json'),
    await service.run('workspaces', 'list', '--json'),
  ];
  const before = await state();
  const output = await withPassword(password, email, '--json');
  expect(JSON.parse(output)).toEqual({ user: email, changes: [], password_set: false });
  expect(await state()).toEqual(before);
  expect((await signIn(email, password)).status).toBe(401);
});

test('gives an administrator of the tenants file a first password, and none after an operator removed it', async () => {
  const [ada, vera] = ['ada@declared.example', 'vera@declared.example'];
  const declaration = {
    slug: 'declared',
    name: 'Declared',
    domains: ['declared.example'],
    administrators: [ada],
    workspaces: [{ slug: 'research', name: 'Research', members: { [vera]: 'owner' } }],
  };
  const apply = () =>
    service.runWithInput(JSON.stringify({ customers: [declaration] }), 'tenants', 'apply', '-f', '-');
  await apply();
  expect(await withPassword('a password of this test', ada)).toBe(`${ada}: password set`);
  expect((await signIn(ada, 'a password of this test')).status).toBe(200);
  expect(await apply()).toBe('nothing to change');

  await service.run('passwords', 'clear', ada, '--yes');
  expect(await withPassword('a password of this test', ada)).toContain('nothing was changed');
  expect(await withPassword('a password of this test', vera)).toContain('nothing was changed');
  for (const email of [ada, vera]) expect((await signIn(email, 'a password of this test')).status).toBe(401);
});

test('adds no domain to an existing customer', async () => {
  const before = await service.run('domains', 'list');
  await expect(create('new@elsewhere.example', '--customer', 'acme')).rejects.toThrow(
    'run "domains add acme elsewhere.example" first',
  );
  await expect(create('new@acme.test')).rejects.toThrow('run "domains add acme acme.test" first');
  expect(await service.run('domains', 'list')).toBe(before);
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

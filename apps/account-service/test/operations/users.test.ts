import { useAccountService } from '../support/running-account-service.ts';

const service = useAccountService();

const isInvalid = async (token: string) => (await service.get('/api/v1/me', token)).status === 401;

test('disabling a user ends their sessions within 2 s and denies sign-in until enabled', async () => {
  const ada = await service.session('ada@acme.example');
  const vera = await service.session('vera@acme.example');
  expect(await service.run('users', 'disable', 'Vera@acme.example')).toBe('vera@acme.example: user disabled');
  await service.within2Seconds(() => isInvalid(vera.access_token));
  expect((await service.refresh(vera.refresh_token)).status).toBe(401);
  expect((await service.signIn('vera@acme.example')).searchParams.get('error')).toBe('user_disabled');
  expect(await isInvalid(ada.access_token)).toBe(false);

  expect(await service.run('users', 'enable', 'vera@acme.example')).toBe('vera@acme.example: user enabled');
  expect((await service.refresh(vera.refresh_token)).status).toBe(401);
});

test('unlinking lets a reassigned address sign in with its new account', async () => {
  await service.session('alan@acme.example', 'google');
  expect(await service.run('users', 'unlink', 'alan@acme.example', 'google', '--yes')).toBe(
    'alan@acme.example: identity unlinked',
  );
  const identities = await service.database.asOwner.query({
    text: `SELECT provider FROM account.user_identities JOIN account.users ON users.id = user_id
            WHERE email = 'alan@acme.example'`,
  });
  expect(identities).toEqual([]);
  expect((await service.signIn('alan@acme.example', 'google')).searchParams.has('code')).toBe(true);
});

test.each([
  ['users disable alan@acme.example', 'users enable alan@acme.example'],
  ['users unlink alan@acme.example github --yes', 'users list'],
  ['passwords clear alan@acme.example --yes', 'users list'],
  ['customers disable acme --yes', 'customers enable acme'],
])('"%s" burns pending codes, even after "%s"', async (change, back) => {
  const code = await service.signInForCode('alan@acme.example');
  await service.run(...change.split(' '));
  await service.run(...back.split(' '));
  expect((await service.redeem(code)).status).toBe(401);
});

test('lists the users', async () => {
  const { users } = JSON.parse(await service.run('users', 'list', '--json')) as { users: unknown[] };
  expect(users[0]).toEqual({
    id: 1,
    email: 'ada@acme.example',
    name: 'Ada Lovelace',
    customer: 'acme',
    administrator: true,
    disabled_at: null,
    last_signed_in_at: expect.stringMatching(/Z$/),
    identities: ['github'],
  });
});

test('reports an unknown user or provider', async () => {
  await expect(service.run('users', 'disable', 'unknown@acme.example')).rejects.toThrow(
    'user unknown@acme.example does not exist',
  );
  await expect(service.run('users', 'unlink', 'ada@acme.example', 'gitlab')).rejects.toThrow(
    'provider must be one of github, google, oidc, got "gitlab"',
  );
});

test('audits every change with the operator name', async () => {
  const rows = await service.database.asOwner.query<{ action: string }>({
    text: `SELECT action, actor FROM account.audit_events WHERE actor = 'operator:olga' ORDER BY id`,
  });
  expect(rows.map(({ action }) => action)).toEqual([
    ...['user_disabled', 'user_enabled', 'identity_unlinked'],
    ...['user_disabled', 'user_enabled', 'identity_unlinked', 'password_cleared'],
    ...['customer_changed', 'customer_changed'],
  ]);
});

import { useAccountService } from '../support/running-account-service.ts';

const service = useAccountService();

const list = async (...options: string[]) =>
  (JSON.parse(await service.run('sessions', 'list', '--json', ...options)) as { sessions: { id: string }[] })
    .sessions;
const isInvalid = async (token: string) => (await service.get('/api/v1/me', token)).status === 401;

test('lists and ends the sessions of users', async () => {
  const ada = await service.session('ada@acme.example');
  const grace = [
    await service.session('grace@globex.example'),
    await service.session('grace@globex.example'),
  ];
  expect(await list()).toHaveLength(3);
  expect(await list('--customer', 'globex')).toHaveLength(2);
  const [adas] = await list('--user', 'Ada@acme.example');
  expect(adas).toEqual({
    id: expect.any(String),
    email: 'ada@acme.example',
    customer: 'acme',
    method: 'github',
    network: '127.0.0.1',
    user_agent: 'node',
    signed_in_at: expect.stringMatching(/Z$/),
    last_refreshed_at: null,
    expires_at: expect.stringMatching(/Z$/),
  });
  expect(await service.run('sessions', 'end', adas?.id ?? '', '--yes')).toBe(`${adas?.id}: session ended`);
  await service.within2Seconds(() => isInvalid(ada.access_token));
  expect((await service.refresh(ada.refresh_token)).status).toBe(401);
  for (const { access_token } of grace) expect(await isInvalid(access_token)).toBe(false);

  expect(await service.run('sessions', 'end', '--user', 'grace@globex.example', '--yes')).toBe(
    'grace@globex.example: sessions ended',
  );
  for (const { access_token } of grace) await service.within2Seconds(() => isInvalid(access_token));
  expect(await list()).toEqual([]);
  expect((await service.signIn('grace@globex.example')).searchParams.has('code')).toBe(true);

  const audited = await service.database.asOwner.query({
    text: `SELECT action, detail->>'session' AS session FROM account.audit_events
            WHERE actor = 'operator:olga' ORDER BY id`,
  });
  expect(audited).toEqual([
    { action: 'session_ended', session: adas?.id },
    { action: 'sessions_ended', session: null },
  ]);
});

test.each([
  [['end', '--yes'], 'give either a session id or --user'],
  [['end', 'x', '--user', 'ada@acme.example', '--yes'], 'give either a session id or --user'],
  [['end', 'x', '--yes'], 'a session id must be a UUID, got "x"'],
  [['end', '00000000-0000-0000-0000-000000000000', '--yes'], 'is not active'],
  [['end', '00000000-0000-0000-0000-000000000000'], 'repeat the command with --yes'],
  [['end', '--user', 'unknown@acme.example', '--yes'], 'user unknown@acme.example does not exist'],
  [['list', '--user', 'unknown@acme.example'], 'user unknown@acme.example does not exist'],
  [['list', '--customer', 'unknown'], 'customer unknown does not exist'],
])('rejects sessions %j', async (args, message) => {
  await expect(service.run('sessions', ...args)).rejects.toThrow(message);
});

import { operate } from '../support/operations.ts';
import { RunningAccountService } from '../support/running-account-service.ts';

let service: RunningAccountService;

beforeAll(async () => {
  service = await RunningAccountService.start();
});

afterAll(() => service.stop());

const run = (...words: string[]) =>
  operate({ OWNER_DATABASE_URL: service.database.ownerUrl, OPERATOR: 'olga' }, ...words);
const json = async (...words: string[]) =>
  JSON.parse(await run(...words, '--json')) as Record<string, unknown[]>;
const refusedWithin2Seconds = (token: string) =>
  service.within2Seconds(async () => (await service.get('/api/v1/me', token)).status === 401);

test('a customer from nothing to its first sign-in, one command at a time', async () => {
  expect(await run('customers', 'add', 'umbrella', '--name', 'Umbrella')).toBe(
    '+ customer umbrella: name "Umbrella", active true, default_role "viewer", providers null',
  );
  expect(await run('domains', 'add', 'umbrella', 'Umbrella.Example')).toBe(
    '+ domain umbrella: umbrella.example',
  );
  expect(await run('workspaces', 'add', 'umbrella', 'labs', '--name', 'Labs')).toBe(
    '+ workspace umbrella/labs: name "Labs", is_default true',
  );
  expect(await run('members', 'set', 'umbrella/labs', 'Alice@umbrella.example', 'owner')).toBe(
    '+ user umbrella: alice@umbrella.example\n+ member umbrella/labs: alice@umbrella.example as owner',
  );
  expect(await json('members', 'list', '--customer', 'umbrella')).toEqual({
    members: [{ customer: 'umbrella', workspace: 'labs', email: 'alice@umbrella.example', role: 'owner' }],
  });
  expect(await run('domains', 'list', '--customer', 'umbrella')).toBe('umbrella.example\tumbrella');
  expect(await run('customers', 'add', 'umbrella').catch(String)).toMatch('there is a customer umbrella');
});

test('what is so already changes nothing and leaves no audit row', async () => {
  const count = async () => (await json('audit', 'list', '--limit', '10000'))['audit_events']?.length;
  const before = await count();
  expect(await run('customers', 'enable', 'acme')).toBe('nothing to change');
  expect(await run('domains', 'add', 'acme', 'acme.example')).toBe('nothing to change');
  expect(await run('workspaces', 'set', 'acme/research', '--name', 'Research', '--default')).toBe(
    'nothing to change',
  );
  expect(await count()).toBe(before);
});

test('a workspace is renamed and becomes the default in place of another', async () => {
  expect(await json('workspaces', 'set', 'acme/production', '--name', 'Prod', '--default')).toEqual({
    changes: [
      {
        change: 'workspace_changed',
        customer: 'acme',
        workspace: 'production',
        from: { name: 'Production' },
        to: { name: 'Prod' },
      },
      {
        change: 'workspace_changed',
        customer: 'acme',
        workspace: 'research',
        from: { is_default: true },
        to: { is_default: false },
      },
      {
        change: 'workspace_changed',
        customer: 'acme',
        workspace: 'production',
        from: { is_default: false },
        to: { is_default: true },
      },
    ],
  });
  expect(await run('workspaces', 'list', '--customer', 'acme')).toBe(
    '1\tacme/research\tResearch\t0 members\n2\tacme/production\tProd\t0 members\tdefault',
  );
  await run('workspaces', 'set', 'acme/research', '--default');
});

test('customers set changes the name, the default role and the sign-in methods', async () => {
  await run(
    'customers',
    'set',
    'globex',
    '--name',
    'Globex Inc',
    '--default-role',
    'viewer',
    '--providers',
    'all',
  );
  const { customers } = await json('customers', 'list');
  expect(customers).toContainEqual(
    expect.objectContaining({ slug: 'globex', name: 'Globex Inc', default_role: 'viewer', providers: null }),
  );
  expect(await run('customers', 'set', 'globex', '--providers', 'google,github')).toBe(
    '~ customer globex: providers null -> providers ["github","google"]',
  );
});

test('a removed member, a demoted administrator and a removed domain are refused within 2 s', async () => {
  const ada = await service.session('ada@acme.example');
  const vera = await service.session('vera@acme.example');
  expect(await run('members', 'remove', 'acme/research', 'vera@acme.example', '--yes')).toBe(
    '- member acme/research: vera@acme.example',
  );
  await refusedWithin2Seconds(vera.access_token);
  expect(await run('users', 'demote', 'ada@acme.example', '--yes')).toBe(
    '- administrator acme: ada@acme.example',
  );
  await refusedWithin2Seconds(ada.access_token);
  expect(await run('users', 'promote', 'ada@acme.example')).toBe('+ administrator acme: ada@acme.example');

  const grace = await service.session('grace@globex.example');
  expect(await run('domains', 'remove', 'globex.example', '--yes')).toBe('- domain globex: globex.example');
  await refusedWithin2Seconds(grace.access_token);
  expect((await service.refresh(grace.refresh_token)).status).toBe(401);
  await run('domains', 'add', 'globex', 'globex.example');
});

test('who lost something goes on with a new token at once, whatever the second', async () => {
  for (let round = 0; round < 3; round += 1) {
    await run('members', 'set', 'acme/production', 'alan@acme.example', 'member');
    const { refresh_token: refresh, access_token: before } = await service.session('alan@acme.example');
    await run('members', 'remove', 'acme/production', 'alan@acme.example', '--yes');
    const after = (await (await service.refresh(refresh)).json()) as { access_token: string };
    await refusedWithin2Seconds(before);
    expect((await service.get('/api/v1/me', after.access_token)).status).toBe(200);
  }
});

test('a disabled customer is refused within 2 s', async () => {
  const { access_token: token } = await service.session('grace@globex.example');
  expect(await run('customers', 'disable', 'globex', '--yes')).toBe(
    '~ customer globex: active true -> active false',
  );
  await refusedWithin2Seconds(token);
  await run('customers', 'enable', 'globex');
});

test.each([
  ['customers disable acme'],
  ['domains remove acme.example'],
  ['members remove acme/research ada@acme.example'],
  ['users unlink ada@acme.example github'],
  ['users demote ada@acme.example'],
])('%s does nothing unless it is told --yes, where nobody can be asked', async (words) => {
  await expect(run(...words.split(' '))).rejects.toThrow('repeat the command with --yes to do it');
});

test.each([
  ['customers add A_B', 'the slug "A_B" is not valid: should be lower-case letters'],
  ['customers set nothing --name x', 'there is no customer nothing; customers list shows those there are'],
  [
    'customers set acme --providers gitlab',
    '"gitlab" is no sign-in method: give all, or some of github,google,password',
  ],
  ['domains add acme no_domain', 'the domain "no_domain" is not valid'],
  ['domains add acme globex.example', 'globex.example belongs to globex; domains remove it there first'],
  ['domains remove x.example --yes', 'there is no domain x.example; domains list shows those there are'],
  ['workspaces add acme research', 'there is a workspace acme/research; workspaces set changes it'],
  ['workspaces set acme --name x', 'there is no workspace acme: give customer/workspace'],
  [
    'members remove acme/research/typo alan@acme.example --yes',
    'there is no workspace acme/research/typo: give customer/workspace, such as acme/research',
  ],
  ['members set acme/research/ alan@acme.example member', 'there is no workspace acme/research/: give'],
  ['members set acme/lab alan@acme.example member', 'there is no workspace acme/lab; workspaces list shows'],
  ['members set acme/research nobody member', 'the e-mail address "nobody" is not valid'],
  ['members set acme/research x@globex.example member', 'x@globex.example is not of a domain of acme'],
  ['members set acme/research grace@globex.example member', 'grace@globex.example is a user of globex'],
  [
    'members remove acme/production vera@acme.example --yes',
    'vera@acme.example is no member of acme/production',
  ],
  ['users promote x@acme.example', 'there is no user x@acme.example; users list shows those there are'],
  ['audit list --since yesterday', '"yesterday" is no timestamp: give one with a zone'],
  ['audit list --customer typo', 'there is no customer typo; customers list shows those there are'],
  ['audit export --customer typo', 'there is no customer typo; customers list shows those there are'],
  ['keys list --customer typo', 'there is no customer typo; customers list shows those there are'],
  ['audit list --limit 0', '"0" is no limit: give an integer from 1 to 10000'],
])('%s says what is wrong', async (words, message) => {
  await expect(run(...words.split(' '))).rejects.toThrow(message);
});

test('each change is in the audit, which can be searched', async () => {
  const { audit_events: events } = (await json(
    'audit',
    'list',
    '--actor',
    'operator:olga',
    '--customer',
    'umbrella',
  )) as {
    audit_events: { action: string; customer: string }[];
  };
  expect(events.map(({ action, customer }) => [action, customer])).toEqual(
    ['member_added', 'user_added', 'workspace_added', 'domain_added', 'customer_added'].map((action) => [
      action,
      'umbrella',
    ]),
  );
  expect(
    await run('audit', 'list', '--action', 'signed_in', '--since', '2020-01-01T00:00:00Z', '--limit', '1'),
  ).toMatch(/^\S+Z\tsigned_in\tuser:\d+\tglobex\tgrace@globex.example\t127.0.0.1\t\{"session":".*"\}$/);
});

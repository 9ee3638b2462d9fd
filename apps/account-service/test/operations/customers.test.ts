import { useAccountService } from '../support/running-account-service.ts';

const service = useAccountService();

/** Runs a command line whose arguments contain no blanks. */
const run = (line: string) => service.run(...line.split(' '));
const json = async (line: string) => JSON.parse(await run(`${line} --json`)) as Record<string, unknown[]>;

beforeAll(() => service.session('grace@globex.example'));

test('commands create a customer with a domain, a workspace and a member', async () => {
  expect(await run('customers add umbrella --name Umbrella')).toBe(
    '+ customer umbrella: name "Umbrella", active true, default_role "viewer", max_key_days null, sign_in_methods null, google_workspace_required false',
  );
  expect(await run('domains add umbrella Umbrella.Example')).toBe('+ domain umbrella: umbrella.example');
  expect(await run('workspaces add umbrella labs --name Labs')).toBe(
    '+ workspace umbrella/labs: name "Labs", is_default true',
  );
  expect(await run('members set umbrella/labs Alice@umbrella.example owner')).toBe(
    '+ user umbrella: alice@umbrella.example\n+ member umbrella/labs: alice@umbrella.example as owner',
  );
  expect(await json('members list --customer umbrella')).toEqual({
    members: [{ customer: 'umbrella', workspace: 'labs', email: 'alice@umbrella.example', role: 'owner' }],
  });
  expect(await run('domains list --customer umbrella')).toBe('domain\tcustomer\numbrella.example\tumbrella');
  expect(await run('customers add umbrella').catch(String)).toMatch('customer umbrella already exists');
});

test('a command without effect changes nothing and adds no audit event', async () => {
  const count = async () => (await json('audit list --limit 10000'))['audit_events']?.length;
  const before = await count();
  expect(await run('customers enable acme')).toBe('nothing to change');
  expect(await run('domains add acme acme.example')).toBe('nothing to change');
  expect(await run('workspaces set acme/research --name Research --default')).toBe('nothing to change');
  expect(await count()).toBe(before);
});

test('workspaces set renames a workspace and moves the default', async () => {
  expect(await json('workspaces set acme/production --name Prod --default')).toEqual({
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
  expect(await run('workspaces list --customer acme')).toBe(
    [
      'id\tcustomer\tslug\tname\tis_default\tmember_count',
      '1\tacme\tresearch\tResearch\tfalse\t0',
      '2\tacme\tproduction\tProd\ttrue\t0',
    ].join('\n'),
  );
  await run('workspaces set acme/research --default');
});

test('customers set changes the name, the default role and the sign-in methods', async () => {
  await service.run(
    'customers',
    'set',
    'globex',
    '--name',
    'Globex Inc',
    '--default-role',
    'viewer',
    '--sign-in-methods',
    'all',
  );
  const { customers } = await json('customers list');
  expect(customers).toContainEqual(
    expect.objectContaining({
      slug: 'globex',
      name: 'Globex Inc',
      default_role: 'viewer',
      sign_in_methods: null,
    }),
  );
  expect(await run('customers set globex --sign-in-methods google,github')).toBe(
    '~ customer globex: sign_in_methods null -> sign_in_methods ["github","google"]',
  );
});

test('customers set requires Workspace accounts, and ends the sessions of Google', async () => {
  const sessions = async () =>
    (await json('sessions list --user ada@acme.example')) as { sessions: { method: string }[] };
  await service.session('ada@acme.example', 'google');
  await service.session('ada@acme.example', 'github');
  expect(await run('customers set acme --google-workspace-required true')).toBe(
    '~ customer acme: google_workspace_required false -> google_workspace_required true',
  );
  expect((await sessions()).sessions.map(({ method }) => method)).toEqual(['github']);
  expect(await run('customers set acme --google-workspace-required true')).toBe('nothing to change');
  await run('customers set acme --google-workspace-required false');
});

test.each([
  ['customers disable acme'],
  ['domains remove acme.example'],
  ['members remove acme/research ada@acme.example'],
  ['users unlink ada@acme.example github'],
  ['users demote ada@acme.example'],
])('%s requires --yes without a terminal', async (line) => {
  await expect(run(line)).rejects.toThrow('repeat the command with --yes to confirm');
});

test.each([
  ['customers add A_B', 'the slug "A_B" is not valid: must consist of at most 63 lower-case letters'],
  ['customers set nothing --name x', 'customer nothing does not exist; "customers list" shows all customers'],
  [
    'customers set acme --sign-in-methods gitlab',
    '--sign-in-methods must be all, or a list of github,google,oidc,password, got "gitlab"',
  ],
  ['domains add acme no_domain', 'the domain "no_domain" is not valid'],
  [
    'domains add acme globex.example',
    'globex.example belongs to globex; run "domains remove globex.example" first',
  ],
  ['domains remove x.example --yes', 'domain x.example does not exist; "domains list" shows all domains'],
  ['workspaces add acme research', 'workspace acme/research already exists; "workspaces set" changes it'],
  ['workspaces set acme --name x', 'a workspace must be given as customer/workspace'],
  [
    'members remove acme/research/typo alan@acme.example --yes',
    'a workspace must be given as customer/workspace, such as acme/research, got "acme/research/typo"',
  ],
  ['members set acme/research/ alan@acme.example member', 'a workspace must be given as customer/workspace'],
  [
    'members set acme/lab alan@acme.example member',
    'workspace acme/lab does not exist; "workspaces list" shows',
  ],
  ['members set acme/research invalid member', 'the email address "invalid" is not valid'],
  [
    'members set acme/research x@globex.example member',
    'the domain of x@globex.example does not belong to acme',
  ],
  [
    'members set acme/research grace@globex.example member',
    'grace@globex.example belongs to customer globex',
  ],
  [
    'members remove acme/production ada@acme.example --yes',
    'ada@acme.example is not a member of acme/production',
  ],
  ['users promote x@acme.example', 'user x@acme.example does not exist; "users list" shows all users'],
  [
    'audit list --since yesterday',
    'timestamps must be RFC 3339 with a zone, such as 2026-01-31T12:00:00Z, got "yesterday"',
  ],
  ['audit list --customer typo', 'customer typo does not exist; "customers list" shows all customers'],
  ['audit export --customer typo', 'customer typo does not exist; "customers list" shows all customers'],
  ['keys list --customer typo', 'customer typo does not exist; "customers list" shows all customers'],
  ['audit list --limit 0', '--limit must be an integer from 1 to 10000, got "0"'],
])('%s reports the fault', async (line, message) => {
  await expect(run(line)).rejects.toThrow(message);
});

test('audits every change, searchable by actor, customer and action', async () => {
  const { audit_events: events } = (await json('audit list --actor operator:olga --customer umbrella')) as {
    audit_events: { action: string; customer: string }[];
  };
  expect(events.map(({ action, customer }) => [action, customer])).toEqual(
    ['member_added', 'user_added', 'workspace_added', 'domain_added', 'customer_added'].map((action) => [
      action,
      'umbrella',
    ]),
  );
  expect(await run('audit list --action signed_in --since 2020-01-01T00:00:00Z --limit 1')).toMatch(
    /^id\toccurred_at\t.*\n\d+\t\S+Z\tsigned_in\tuser:\d+\tacme\tada@acme.example\t127.0.0.1\t\S+\t\{"method":"github","session":".*"\}$/,
  );
});

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AccountDatabase, createAccountDatabase } from '../support/account-database.ts';
import { runCommand } from '../support/run-command.ts';

const ACME = `
customers:
  - slug: acme
    name: Acme
    domains: [acme.example, ACME.test]
    sign_in_methods: [google, github]
    default_role: member
    administrators: [Ada@acme.example]
    workspaces:
      - slug: research
        name: Research
        members: { ada@acme.example: owner, alan@acme.example: member }
      - slug: production
        name: Production
        members: { ada@acme.example: owner }
`;

let database: AccountDatabase;
let directory: string;

beforeEach(async () => {
  database = await createAccountDatabase();
  directory = mkdtempSync(join(tmpdir(), 'tenants-'));
});

afterEach(async () => {
  await database.drop();
  rmSync(directory, { recursive: true });
});

async function tenants(...args: string[]): Promise<string> {
  return runCommand({ OWNER_DATABASE_URL: database.ownerUrl, OPERATOR: 'olga' }, 'tenants', ...args);
}

function apply(yaml: string, ...options: string[]): Promise<string> {
  const file = join(directory, 'tenants.yaml');
  writeFileSync(file, yaml);
  return tenants('apply', '-f', file, ...options);
}

async function show() {
  return JSON.parse(await tenants('show', '--json')) as { customers: Record<string, unknown>[] };
}

test('applies the declared state to an empty database, and is idempotent', async () => {
  await apply(ACME);
  expect(await show()).toEqual({
    customers: [
      {
        id: 1,
        slug: 'acme',
        name: 'Acme',
        active: true,
        default_role: 'member',
        max_key_days: null,
        sign_in_methods: ['github', 'google'],
        google_workspace_required: false,
        domains: ['acme.example', 'acme.test'],
        users: [
          { email: 'ada@acme.example', administrator: true, administrator_declared: true },
          { email: 'alan@acme.example', administrator: false, administrator_declared: false },
        ],
        workspaces: [
          {
            id: 1,
            slug: 'research',
            name: 'Research',
            is_default: true,
            members: [
              { email: 'ada@acme.example', role: 'owner', declared: true },
              { email: 'alan@acme.example', role: 'member', declared: true },
            ],
          },
          {
            id: 2,
            slug: 'production',
            name: 'Production',
            is_default: false,
            members: [{ email: 'ada@acme.example', role: 'owner', declared: true }],
          },
        ],
      },
    ],
  });
  expect(await apply(ACME)).toBe('nothing to change');
});

test('a dry run prints the changes without applying them', async () => {
  const { applied, changes } = JSON.parse(await apply(ACME, '--dry-run', '--json')) as {
    applied: boolean;
    changes: unknown[];
  };
  expect(applied).toBe(false);
  expect(changes).toHaveLength(11);
  expect(changes[1]).toEqual({ change: 'domain_added', customer: 'acme', domain: 'acme.example' });
  expect(await show()).toEqual({ customers: [] });
  expect(await apply(ACME, '--dry-run')).toMatch(/\nnot applied \(--dry-run\)$/);
});

test('changes, removes and moves declared resources, with an audit event each', async () => {
  await apply(ACME);
  const printed = await apply(`
customers:
  - slug: acme
    name: Acme Corporation
    domains: [acme.example]
    administrators: []
    workspaces:
      - { slug: research, name: Research, members: { alan@acme.example: viewer } }
      - { slug: production, name: Live, default: true, members: { ada@acme.example: owner } }
  - slug: globex
    name: Globex
    domains: [acme.test]
    workspaces: [{ slug: main, name: Main }]
`);
  expect(printed.split('\n')).toEqual([
    '- domain acme: acme.test',
    '~ workspace acme/research: is_default true -> is_default false',
    '~ customer acme: name "Acme" -> name "Acme Corporation"',
    '~ customer acme: default_role "member" -> default_role "viewer"',
    '~ customer acme: sign_in_methods ["github","google"] -> sign_in_methods null',
    '- administrator acme: ada@acme.example',
    '~ member acme/research: alan@acme.example as viewer',
    '- member acme/research: ada@acme.example',
    '~ workspace acme/production: name "Production" -> name "Live"',
    '~ workspace acme/production: is_default false -> is_default true',
    '+ customer globex: name "Globex", active true, default_role "viewer", max_key_days null, sign_in_methods null, google_workspace_required false',
    '+ domain globex: acme.test',
    '+ workspace globex/main: name "Main", is_default true',
    'applied',
  ]);
  const audited = await database.asOwner.query<{ action: string; actor: string; customer_id: number }>({
    text: 'SELECT action, actor, customer_id FROM account.audit_events ORDER BY id OFFSET 11',
  });
  expect(audited).toHaveLength(13);
  expect(new Set(audited.map(({ actor }) => actor))).toEqual(new Set(['operator:olga']));
  expect(audited[0]).toEqual({ action: 'domain_removed', actor: 'operator:olga', customer_id: 1 });
  // Ada lost access twice, so her tokens are revoked.
  const revoked = await database.asOwner.query({
    text: 'SELECT kind, subject_id FROM account.revocations ORDER BY kind, subject_id',
  });
  expect(revoked).toEqual([{ kind: 'user', subject_id: '1' }]);
});

test('writes revocations at the end of the transaction', async () => {
  await apply(ACME.replace('owner }', 'owner, vera@acme.example: viewer }'));
  await database.asOwner.query({
    text: `INSERT INTO account.sessions (id, user_id, sign_in_method, refresh_token_hash, signed_in_at, expires_at)
           SELECT gen_random_uuid(), id, 'google', sha256(email::bytea), now(), now() + interval '1 hour'
             FROM account.users WHERE email = 'ada@acme.example'`,
  });
  await database.asOwner.query({
    text: `CREATE FUNCTION account.slow_insert() RETURNS trigger LANGUAGE plpgsql AS
             'BEGIN PERFORM pg_sleep(0.2); RETURN new; END'`,
  });
  await database.asOwner.query({
    text: `CREATE TRIGGER slow_insert BEFORE INSERT ON account.workspaces
             FOR EACH ROW EXECUTE FUNCTION account.slow_insert()`,
  });
  await apply(`
customers:
  - slug: acme
    name: Acme
    active: false
    domains: [acme.test]
    workspaces:
      - { slug: research, name: Research }
      - { slug: production, name: Production }
      - { slug: lab, name: Lab }
`);
  const [{ late } = { late: null }] = await database.asOwner.query<{ late: Date }>({
    text: `SELECT max(occurred_at) AS late FROM account.audit_events WHERE action = 'workspace_added'`,
  });
  const revoked = await database.asOwner.query({
    text: `SELECT kind, count(*)::integer, min(recorded_at) >= $1 AND min(not_before) >= $1 AS at_the_end
             FROM account.revocations GROUP BY kind ORDER BY kind`,
    values: [late],
  });
  expect(revoked).toEqual([
    { kind: 'customer', count: 1, at_the_end: true },
    { kind: 'session', count: 1, at_the_end: true },
    { kind: 'user', count: 3, at_the_end: true },
  ]);
});

test('keeps undeclared customers and users who signed in on their own', async () => {
  await apply(ACME);
  await database.asOwner.query({
    text: `WITH newcomer AS (
             INSERT INTO account.users (customer_id, email) VALUES (1, 'grace@acme.example') RETURNING id)
           INSERT INTO account.workspace_members (workspace_id, user_id, role) SELECT 1, id, 'viewer' FROM newcomer`,
  });
  expect(await apply(ACME)).toBe('nothing to change');
  expect(
    await apply(
      `customers: [{ slug: globex, name: Globex, domains: [], workspaces: [{ slug: main, name: Main }] }]`,
    ),
  ).toMatch(/applied$/);
  expect((await show()).customers).toHaveLength(2);
  // Once declared, the membership belongs to the file and is removed when the file omits it.
  const naming = ACME.replace('alan@acme.example: member', 'grace@acme.example: member');
  expect(await apply(naming)).toBe(
    '~ member acme/research: grace@acme.example as member\n- member acme/research: alan@acme.example\napplied',
  );
  expect(await apply(ACME)).toMatch(/- member acme\/research: grace@acme.example/);
});

test('applies all changes or none', async () => {
  await apply(ACME);
  await database.asOwner.query({
    text: "INSERT INTO account.customers (slug, name) VALUES ('other', 'Other')",
  });
  await database.asOwner.query({
    text: `INSERT INTO account.customer_domains (domain, customer_id) SELECT 'other.example', id
             FROM account.customers WHERE slug = 'other'`,
  });
  const before = await show();
  // The domain belongs to a customer that this file omits.
  const conflicting = ACME.replace('name: Acme', 'name: Changed').replace('ACME.test', 'other.example');
  await expect(apply(conflicting)).rejects.toThrow('other.example belongs to other');
  expect(await show()).toEqual(before);
});

test('rejects a user of another customer', async () => {
  await apply(ACME);
  await expect(
    apply(`
customers:
  - { slug: acme, name: Acme, domains: [acme.test], workspaces: [{ slug: research, name: Research }] }
  - slug: globex
    name: Globex
    domains: [acme.example]
    workspaces: [{ slug: main, name: Main, members: { ada@acme.example: owner } }]
`),
  ).rejects.toThrow('ada@acme.example belongs to customer acme and cannot also belong to globex');
});

test.each([
  ['invalid YAML', 'customers: [', /tenants\.yaml is not valid YAML: /],
  ['no content', '', /is not a valid tenants file/],
  [
    'an unknown field',
    ACME.replace('default_role', 'defualt_role'),
    /Unrecognized key: "defualt_role"[^]*customers\[0\]/,
  ],
  [
    'an unknown role',
    ACME.replace('alan@acme.example: member', 'alan@acme.example: boss'),
    /customers\[0\]\.workspaces\[0\]\.members/,
  ],
  [
    'a customer without workspaces',
    'customers: [{ slug: a, name: A, domains: [] , workspaces: [] }]',
    /workspaces/,
  ],
  ['an invalid domain', ACME.replace('ACME.test', 'acme'), /"acme" is not a domain/],
  [
    'a person of another domain',
    ACME.replace('alan@acme.example', 'alan@globex.example'),
    /the domain of alan@globex.example does not belong to acme/,
  ],
  ['a repeated domain', ACME.replace('ACME.test', 'acme.example'), /acme.example occurs twice/],
  [
    'a repeated workspace slug',
    ACME.replace('slug: production', 'slug: research'),
    /two workspaces of acme have the slug research/,
  ],
  ['an invalid slug', ACME.replace('slug: acme', 'slug: Acme Inc'), /lower-case letters, digits and hyphens/],
  [
    'a NUL in a name',
    ACME.replace('name: Research', 'name: "a\\0b"'),
    /must be one line[^]*got U\+0000[^]*customers\[0\]\.workspaces\[0\]\.name/,
  ],
  [
    'a bidirectional override in a name',
    ACME.replace('name: Acme', 'name: "a\\u202eb"'),
    /must be one line[^]*got U\+202E[^]*customers\[0\]\.name/,
  ],
  [
    'a lone surrogate in a name',
    ACME.replace('name: Acme', 'name: "a\\ud800"'),
    /must not contain lone surrogates[^]*customers\[0\]\.name/,
  ],
  ['an undefined alias', 'customers: *nope', /tenants\.yaml is not valid YAML: Unresolved alias.*nope/],
  [
    'exponential aliases',
    `a: &a [1]\ncustomers: [${'*a, '.repeat(200)}]`,
    /tenants\.yaml is not valid YAML: Excessive alias count/,
  ],
  [
    'a repeated member',
    ACME.replace(
      '{ ada@acme.example: owner, alan',
      '{ ADA@acme.example: owner, ada@acme.example: viewer, alan',
    ),
    /ada@acme\.example occurs twice; a member of a workspace has one role[^]*customers\[0\]\.workspaces\[0\]\.members/,
  ],
])('rejects a file with %s', async (_, yaml, message) => {
  await expect(apply(yaml)).rejects.toThrow(message);
});

test('rejects a missing file', async () => {
  await expect(tenants('apply', '-f', join(directory, 'none.yaml'))).rejects.toThrow(
    /cannot read .* \(ENOENT\)/,
  );
});

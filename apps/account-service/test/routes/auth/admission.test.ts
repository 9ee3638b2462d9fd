import { decodeJwt } from 'jose';
import { ordinaryAccount, type Account } from '@gpu-observatory/identity-provider';
import { useAccountService } from '../../support/running-account-service.ts';
import { approve, beginSignIn, openCallback } from '../../support/partial-sign-in.ts';

const service = useAccountService({
  tenants: `
customers:
  - { slug: acme, name: Acme, domains: [acme.example, 'bücher.example'], workspaces: [{ slug: main, name: Main }] }
  - { slug: globex, name: Globex, domains: [globex.example], sign_in_methods: [google], workspaces: [{ slug: main, name: Main }] }
  - { slug: initech, name: Initech, active: false, domains: [initech.example], workspaces: [{ slug: main, name: Main }] }
  - { slug: strict, name: Strict, domains: [strict.example], google_workspace_required: true, workspaces: [{ slug: main, name: Main }] }
  - slug: invited
    name: Invited
    domains: [invited.example]
    default_role: none
    workspaces: [{ slug: main, name: Main, members: { member@invited.example: member } }]
  - slug: declared
    name: Declared
    domains: [declared.example]
    administrators: [boss@declared.example]
    workspaces:
      - { slug: first, name: First, members: { clerk@declared.example: member } }
`,
});
let number = 500;

function newAccount(email: string, name = 'Some User') {
  number += 1;
  return ordinaryAccount({ email, name, login: `account-${number}`, number });
}

/** Returns what the frontend receives: the `error`, or `code`. */
async function outcome(account: Account, provider: 'github' | 'google'): Promise<string> {
  service.provider.replaceAccounts([account]);
  const { searchParams } = await service.signIn(account.email, provider);
  return searchParams.get('error') ?? (searchParams.has('code') ? 'code' : 'nothing');
}

async function users(where = 'true') {
  return service.database.asOwner.query<{ id: number; email: string; name: string; administrator: boolean }>({
    text: `SELECT id, email, name, administrator FROM account.users WHERE ${where} ORDER BY id`,
  });
}

describe('GitHub', () => {
  const emails = (...list: { email: string; primary: boolean; verified: boolean }[]) =>
    list.map((each) => ({ ...each, visibility: each.primary ? ('private' as const) : null }));

  test('fetches a hidden email address and uses the verified primary one', async () => {
    const ada = newAccount('hidden@acme.example');
    const list = emails(
      { email: 'private@home.example', primary: false, verified: true },
      { email: 'hidden@acme.example', primary: true, verified: true },
    );
    expect(
      await outcome({ ...ada, github: { ...ada.github, publicEmail: null, emails: list } }, 'github'),
    ).toBe('code');
    expect(await users("email = 'hidden@acme.example'")).toHaveLength(1);
  });

  test.each([
    [
      'an unverified primary email',
      [{ email: 'mail@acme.example', primary: true, verified: false }],
      'email_not_verified',
    ],
    [
      'a verified secondary email of the customer',
      [
        { email: 'me@home.example', primary: true, verified: true },
        { email: 'mail@acme.example', primary: false, verified: true },
      ],
      'domain_not_allowed',
    ],
    [
      'an unverified primary and a verified secondary email',
      [
        { email: 'mail@acme.example', primary: true, verified: false },
        { email: 'other@acme.example', primary: false, verified: true },
      ],
      'email_not_verified',
    ],
    [
      'no primary email',
      [{ email: 'mail@acme.example', primary: false, verified: true }],
      'email_not_verified',
    ],
    ['no email at all', [], 'provider_error'],
  ])('denies %s', async (_, list, error) => {
    const before = await users();
    const account = newAccount('mail@acme.example');
    expect(
      await outcome({ ...account, github: { ...account.github, emails: emails(...list) } }, 'github'),
    ).toBe(error);
    expect(await users()).toEqual(before);
  });
});

/** Returns an account with changes of its Google profile; undefined removes a field. */
function withGoogle(account: ReturnType<typeof newAccount>, changes: object) {
  const google = Object.fromEntries(
    Object.entries({ ...account.google, ...changes }).filter(([, value]) => value !== undefined),
  ) as unknown as typeof account.google;
  return { ...account, google };
}

describe('Google', () => {
  test('accepts a verified address of a personal account', async () => {
    const account = newAccount('personal@acme.example');
    expect(await outcome(withGoogle(account, { hd: undefined }), 'google')).toBe('code');
  });

  test.each([
    ['an unverified email', { emailVerified: false }, 'email_not_verified'],
    ['no email', { email: undefined, emailVerified: undefined }, 'email_not_verified'],
  ])('denies %s', async (_, spoiled, error) => {
    const before = await users();
    const account = newAccount('workspace@acme.example');
    expect(await outcome(withGoogle(account, spoiled), 'google')).toBe(error);
    expect(await users()).toEqual(before);
  });

  describe('of a customer that requires a Workspace account', () => {
    test.each([
      ['no Workspace', undefined],
      ['another Workspace domain', 'globex.example'],
      ['a look-alike Workspace domain', 'strict.example.evil.example'],
    ])('denies %s', async (_, hd) => {
      const account = newAccount('user@strict.example');
      expect(await outcome(withGoogle(account, { hd }), 'google')).toBe('google_workspace_required');
      expect(await users("email = 'user@strict.example'")).toEqual([]);
    });

    test('accepts an account of the Workspace, and other providers', async () => {
      expect(await outcome(newAccount('member@strict.example'), 'google')).toBe('code');
      expect(await outcome(newAccount('github@strict.example'), 'github')).toBe('code');
    });

    test('responds to a JSON client with a code of its own', async () => {
      const account = withGoogle(newAccount('user@strict.example'), { hd: undefined });
      service.provider.replaceAccounts([account]);
      const attempt = await beginSignIn(service, 'google');
      const callback = await approve(service, attempt, account.email);
      const response = await openCallback(callback, attempt.cookie, 'application/json');
      expect([response.status, await response.json()]).toEqual([
        403,
        { title: 'google_workspace_required', detail: expect.stringContaining('Google Workspace account') },
      ]);
    });
  });
});

describe.each(['github', 'google'] as const)('email domains with %s', (provider) => {
  test.each([
    ['of an inactive customer', 'ivan@initech.example'],
    ['of no customer', 'nina@nowhere.example'],
    ['below one of a customer', 'x@mail.acme.example'],
    ['above one of a customer', 'x@example'],
    ['with the suffix of one of a customer', 'x@notacme.example'],
    ['with the prefix of one of a customer', 'x@acme.example.evil.example'],
    ['in look-alike letters', 'x@аcme.example'],
  ])('denies a domain %s', async (_, email) => {
    const error = await outcome(newAccount(email), provider);
    // `x@example` is not a valid address.
    expect(error).toBe(email === 'x@example' ? 'email_not_verified' : 'domain_not_allowed');
  });

  test('normalizes case and IDNA forms', async () => {
    expect(await outcome(newAccount(`Case-${provider}@ACME.example`), provider)).toBe('code');
    expect(await outcome(newAccount(`idna-${provider}@BÜCHER.example`), provider)).toBe('code');
    expect((await users(`email LIKE '%-${provider}@%'`)).map(({ email }) => email)).toEqual([
      `case-${provider}@acme.example`,
      `idna-${provider}@xn--bcher-kva.example`,
    ]);
  });
});

test('responds in JSON to a JSON client', async () => {
  service.provider.replaceAccounts([newAccount('nina@nowhere.example')]);
  const attempt = await beginSignIn(service);
  const callback = await approve(service, attempt, 'nina@nowhere.example');
  const response = await openCallback(callback, attempt.cookie, 'application/json');
  expect(response.status).toBe(403);
  expect(await response.json()).toEqual({
    title: 'domain_not_allowed',
    detail: 'The email address does not belong to a domain of an active customer.',
  });
});

test('a customer can restrict the sign-in methods', async () => {
  const grace = newAccount('grace@globex.example');
  expect(await outcome(grace, 'github')).toBe('provider_not_allowed');
  expect(await outcome(grace, 'google')).toBe('code');
});

describe('user identity', () => {
  test('both providers with the same email address sign in one user', async () => {
    const both = newAccount('both@acme.example');
    expect(await outcome(both, 'github')).toBe('code');
    expect(await outcome(both, 'google')).toBe('code');
    expect(await users("email = 'both@acme.example'")).toHaveLength(1);
  });

  test.each(['github', 'google'] as const)(
    'denies an email address that %s reassigned to another account',
    async (provider) => {
      const first = newAccount(`recycled-${provider}@acme.example`);
      expect(await outcome(first, provider)).toBe('code');
      expect(await outcome(newAccount(`recycled-${provider}@acme.example`), provider)).toBe(
        'identity_conflict',
      );
      expect(await outcome(first, provider)).toBe('code');
    },
  );

  test('a changed email address within the customer keeps the user', async () => {
    const before = newAccount('maiden@acme.example');
    expect(await outcome(before, 'google')).toBe('code');
    const [{ id } = { id: 0 }] = await users("email = 'maiden@acme.example'");
    const google = { ...before.google, email: 'married@acme.example' };
    expect(await outcome({ ...before, google }, 'google')).toBe('code');
    expect(await users(`id = ${id}`)).toMatchObject([{ email: 'married@acme.example' }]);
  });

  test('denies a changed address of another customer or user', async () => {
    const mover = newAccount('mover@acme.example');
    expect(await outcome(mover, 'google')).toBe('code');
    const otherCustomer = { ...mover.google, email: 'mover@globex.example', hd: 'globex.example' };
    expect(await outcome({ ...mover, google: otherCustomer }, 'google')).toBe('identity_conflict');
    const conflicting = { ...mover.google, email: 'both@acme.example' };
    expect(await outcome({ ...mover, google: conflicting }, 'google')).toBe('identity_conflict');
  });

  test('users who sign in concurrently get their own sessions', async () => {
    const people = Array.from({ length: 20 }, (_, index) => newAccount(`people-${index}@acme.example`));
    service.provider.replaceAccounts(people);
    const emails = await Promise.all(
      people.map(async ({ email }, index) => {
        const { access_token: token } = await service.session(email, index % 2 ? 'google' : 'github');
        const me = (await (await service.get('/api/v1/me', token)).json()) as { user: { email: string } };
        return me.user.email;
      }),
    );
    expect(emails).toEqual(people.map(({ email }) => email));
  });

  test('sanitizes text and URLs from a provider', async () => {
    const odd = newAccount('odd@acme.example', 'Zero\0Null \ud800 Line\nBreak\u202eOverride');
    const account = { ...odd, google: { ...odd.google, pictureUrl: 'javascript:alert(1)' } };
    expect(await outcome(account, 'google')).toBe('code');
    expect(await users("email = 'odd@acme.example'")).toMatchObject([
      { name: 'Zero Null \ufffd Line Break Override' },
    ]);
  });
});

describe('roles', () => {
  test('no user becomes administrator without a declaration, not even the first one', async () => {
    expect(await users("administrator AND email NOT LIKE '%@declared.example'")).toEqual([]);
  });

  test('an uninvited user of a customer with the default role none has no access', async () => {
    expect(await outcome(newAccount('guest@invited.example'), 'github')).toBe('code');
    const rightsOf = async (email: string) => {
      service.provider.replaceAccounts([newAccount(email)]);
      const { access_token: token } = await service.session(email);
      const { workspaces } = (await (await service.get('/api/v1/workspaces/', token)).json()) as {
        workspaces: { id: number; name: string; role: string }[];
      };
      return { access: decodeJwt(token)['access'], workspaces };
    };
    // With an entry of the customer, fleet-api would return the alerts that belong to no workspace.
    expect(await rightsOf('uninvited@invited.example')).toEqual({ access: [], workspaces: [] });
    const { access, workspaces } = await rightsOf('member@invited.example');
    expect(workspaces).toMatchObject([{ name: 'Main', role: 'member' }]);
    expect(access).toMatchObject([{ workspace_ids: [workspaces[0]?.id] }]);
  });

  test('declared users have their declared roles, and no other user becomes administrator', async () => {
    expect(await outcome(newAccount('stranger@declared.example'), 'github')).toBe('code');
    expect(await outcome(newAccount('clerk@declared.example', 'Clerk'), 'github')).toBe('code');
    expect(await outcome(newAccount('boss@declared.example', 'Boss'), 'google')).toBe('code');
    expect(await users("email LIKE '%@declared.example'")).toEqual([
      { id: expect.any(Number), email: 'boss@declared.example', name: 'Boss', administrator: true },
      { id: expect.any(Number), email: 'clerk@declared.example', name: 'Clerk', administrator: false },
      { id: expect.any(Number), email: 'stranger@declared.example', name: 'Some User', administrator: false },
    ]);
    const roles = await service.database.asOwner.query({
      text: `SELECT users.email, workspace_members.role FROM account.workspace_members
               JOIN account.users ON users.id = workspace_members.user_id
              WHERE users.email LIKE '%@declared.example' ORDER BY users.email`,
    });
    expect(roles).toEqual([
      { email: 'clerk@declared.example', role: 'member' },
      { email: 'stranger@declared.example', role: 'viewer' },
    ]);
  });
});

test('audits denials with their origin and without secrets', async () => {
  const [denial] = await service.database.asOwner.query({
    text: `SELECT action, actor, network, request_id, detail FROM account.audit_events
            WHERE action = 'sign_in_denied' AND detail->>'reason' = 'identity_conflict' ORDER BY id LIMIT 1`,
  });
  expect(denial).toEqual({
    action: 'sign_in_denied',
    actor: 'anonymous',
    network: '127.0.0.1',
    request_id: expect.any(String),
    detail: { method: 'github', reason: 'identity_conflict' },
  });
});

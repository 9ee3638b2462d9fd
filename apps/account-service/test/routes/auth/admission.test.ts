import { ordinaryAccount, type Account } from '@gpu-observatory/identity-provider';
import { RunningAccountService } from '../../support/running-account-service.ts';
import { approve, beginSignIn, openCallback } from '../../support/sign-in-leg.ts';

let service: RunningAccountService;
let number = 500;

beforeAll(async () => {
  service = await RunningAccountService.start({
    tenants: `
customers:
  - { slug: acme, name: Acme, domains: [acme.example, 'bücher.example'], workspaces: [{ slug: main, name: Main }] }
  - { slug: globex, name: Globex, domains: [globex.example], providers: [google], workspaces: [{ slug: main, name: Main }] }
  - { slug: initech, name: Initech, active: false, domains: [initech.example], workspaces: [{ slug: main, name: Main }] }
  - slug: declared
    name: Declared
    domains: [declared.example]
    administrators: [boss@declared.example]
    workspaces:
      - { slug: first, name: First, members: { clerk@declared.example: member } }
`,
  });
});

afterAll(() => service.stop());

function person(email: string, name = 'Somebody') {
  number += 1;
  return ordinaryAccount({ email, name, login: `person-${number}`, number });
}

/** What the frontend is told: the `error`, or `code` when there is one. */
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

  test('a hidden e-mail is asked for, and its verified primary one counts', async () => {
    const ada = person('hidden@acme.example');
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
      'an unverified primary e-mail',
      [{ email: 'mail@acme.example', primary: true, verified: false }],
      'email_not_verified',
    ],
    [
      'a verified secondary e-mail of the customer',
      [
        { email: 'me@home.example', primary: true, verified: true },
        { email: 'mail@acme.example', primary: false, verified: true },
      ],
      'domain_not_allowed',
    ],
    [
      'an unverified primary and a verified secondary e-mail',
      [
        { email: 'mail@acme.example', primary: true, verified: false },
        { email: 'other@acme.example', primary: false, verified: true },
      ],
      'email_not_verified',
    ],
    [
      'no primary e-mail',
      [{ email: 'mail@acme.example', primary: false, verified: true }],
      'email_not_verified',
    ],
    ['no e-mail at all', [], 'provider_error'],
  ])('%s opens nothing', async (_, list, error) => {
    const before = await users();
    const somebody = person('mail@acme.example');
    expect(
      await outcome({ ...somebody, github: { ...somebody.github, emails: emails(...list) } }, 'github'),
    ).toBe(error);
    expect(await users()).toEqual(before);
  });
});

describe('Google', () => {
  test.each([
    ['an unverified e-mail', { emailVerified: false }, 'email_not_verified'],
    ['a consumer account with a customer’s address', { hd: undefined }, 'email_not_verified'],
    ['another Workspace domain', { hd: 'globex.example' }, 'email_not_verified'],
    ['a Workspace domain that only looks alike', { hd: 'acme.example.evil.example' }, 'email_not_verified'],
    ['no e-mail', { email: undefined, emailVerified: undefined }, 'email_not_verified'],
  ])('%s opens nothing', async (_, spoiled, error) => {
    const before = await users();
    const somebody = person('workspace@acme.example');
    const google = Object.fromEntries(
      Object.entries({ ...somebody.google, ...spoiled }).filter(([, value]) => value !== undefined),
    ) as unknown as typeof somebody.google;
    expect(await outcome({ ...somebody, google }, 'google')).toBe(error);
    expect(await users()).toEqual(before);
  });
});

describe.each(['github', 'google'] as const)('domains, through %s', (provider) => {
  test.each([
    ['of an inactive customer', 'ivan@initech.example'],
    ['that nobody has', 'nina@nowhere.example'],
    ['below a customer’s', 'x@mail.acme.example'],
    ['above a customer’s', 'x@example'],
    ['that ends like a customer’s', 'x@notacme.example'],
    ['that begins like a customer’s', 'x@acme.example.evil.example'],
    ['in look-alike letters', 'x@аcme.example'],
  ])('a domain %s is not allowed', async (_, email) => {
    const error = await outcome(person(email), provider);
    // `x@example` is no address we take at all.
    expect(error).toBe(email === 'x@example' ? 'email_not_verified' : 'domain_not_allowed');
  });

  test('case and IDNA’s forms make no difference', async () => {
    expect(await outcome(person(`Case-${provider}@ACME.example`), provider)).toBe('code');
    expect(await outcome(person(`idna-${provider}@BÜCHER.example`), provider)).toBe('code');
    expect((await users(`email LIKE '%-${provider}@%'`)).map(({ email }) => email)).toEqual([
      `case-${provider}@acme.example`,
      `idna-${provider}@xn--bcher-kva.example`,
    ]);
  });
});

test('a client that asked for JSON is told in JSON', async () => {
  service.provider.replaceAccounts([person('nina@nowhere.example')]);
  const leg = await beginSignIn(service);
  const callback = await approve(service, leg, 'nina@nowhere.example');
  const answer = await openCallback(callback, leg.cookie, 'application/json');
  expect(answer.status).toBe(403);
  expect(await answer.json()).toEqual({
    title: 'domain_not_allowed',
    detail: 'The e-mail address does not belong to a domain of an active customer.',
  });
});

test('a customer may narrow how its people sign in', async () => {
  const grace = person('grace@globex.example');
  expect(await outcome(grace, 'github')).toBe('provider_not_allowed');
  expect(await outcome(grace, 'google')).toBe('code');
});

describe('who somebody is', () => {
  test('the same person through both providers is one user', async () => {
    const both = person('both@acme.example');
    expect(await outcome(both, 'github')).toBe('code');
    expect(await outcome(both, 'google')).toBe('code');
    expect(await users("email = 'both@acme.example'")).toHaveLength(1);
  });

  test.each(['github', 'google'] as const)(
    'an e-mail that %s gave to somebody else is refused',
    async (provider) => {
      const first = person(`recycled-${provider}@acme.example`);
      expect(await outcome(first, provider)).toBe('code');
      expect(await outcome(person(`recycled-${provider}@acme.example`), provider)).toBe('identity_conflict');
      expect(await outcome(first, provider)).toBe('code');
    },
  );

  test('a person who gets another address at the customer stays who they are', async () => {
    const before = person('maiden@acme.example');
    expect(await outcome(before, 'google')).toBe('code');
    const [{ id } = { id: 0 }] = await users("email = 'maiden@acme.example'");
    const google = { ...before.google, email: 'married@acme.example' };
    expect(await outcome({ ...before, google }, 'google')).toBe('code');
    expect(await users(`id = ${id}`)).toMatchObject([{ email: 'married@acme.example' }]);
  });

  test('a person whose address passes to another customer, or to another person’s, is refused', async () => {
    const mover = person('mover@acme.example');
    expect(await outcome(mover, 'google')).toBe('code');
    const elsewhere = { ...mover.google, email: 'mover@globex.example', hd: 'globex.example' };
    expect(await outcome({ ...mover, google: elsewhere }, 'google')).toBe('identity_conflict');
    const taken = { ...mover.google, email: 'both@acme.example' };
    expect(await outcome({ ...mover, google: taken }, 'google')).toBe('identity_conflict');
  });

  test('thirty first sign-ins at once make one user', async () => {
    const many = person('many@acme.example');
    service.provider.replaceAccounts([many]);
    const ended = await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        service.signIn('many@acme.example', index % 2 ? 'google' : 'github'),
      ),
    );
    expect(ended.every(({ searchParams }) => searchParams.has('code'))).toBe(true);
    expect(await users("email = 'many@acme.example'")).toHaveLength(1);
  });

  test('people who sign in at the same time each get their own session', async () => {
    const crowd = Array.from({ length: 20 }, (_, index) => person(`crowd-${index}@acme.example`));
    service.provider.replaceAccounts(crowd);
    const emails = await Promise.all(
      crowd.map(async ({ email }, index) => {
        const { access_token: token } = await service.session(email, index % 2 ? 'google' : 'github');
        const me = (await (await service.get('/api/v1/me', token)).json()) as { user: { email: string } };
        return me.user.email;
      }),
    );
    expect(emails).toEqual(crowd.map(({ email }) => email));
  });

  test('a disabled user is refused', async () => {
    const leaver = person('leaver@acme.example');
    expect(await outcome(leaver, 'github')).toBe('code');
    await service.database.asOwner.query({
      text: "UPDATE account.users SET disabled_at = now() WHERE email = 'leaver@acme.example'",
    });
    expect(await outcome(leaver, 'github')).toBe('user_disabled');
    expect(await outcome(leaver, 'google')).toBe('user_disabled');
  });

  test('text from a provider that a database or a page cannot take does no harm', async () => {
    const odd = person('odd@acme.example', 'Zero\0Null \ud800 Line\nBreak');
    const account = { ...odd, google: { ...odd.google, pictureUrl: 'javascript:alert(1)' } };
    expect(await outcome(account, 'google')).toBe('code');
    expect(await users("email = 'odd@acme.example'")).toMatchObject([
      { name: 'Zero Null \ufffd Line Break' },
    ]);
  });
});

describe('what somebody may do', () => {
  test('the first of a customer is its administrator, later ones are not', async () => {
    const administrators = (await users("administrator AND email LIKE '%acme.example'")).map(
      ({ email }) => email,
    );
    expect(administrators).toEqual(['hidden@acme.example']);
  });

  test('people whom an operator declared come with their roles, and nobody else is made administrator', async () => {
    expect(await outcome(person('stranger@declared.example'), 'github')).toBe('code');
    expect(await outcome(person('clerk@declared.example', 'Clerk'), 'github')).toBe('code');
    expect(await outcome(person('boss@declared.example', 'Boss'), 'google')).toBe('code');
    expect(await users("email LIKE '%@declared.example'")).toEqual([
      { id: expect.any(Number), email: 'boss@declared.example', name: 'Boss', administrator: true },
      { id: expect.any(Number), email: 'clerk@declared.example', name: 'Clerk', administrator: false },
      { id: expect.any(Number), email: 'stranger@declared.example', name: 'Somebody', administrator: false },
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

test('refusals are in the audit, with where they came from and no secret', async () => {
  const [refusal] = await service.database.asOwner.query({
    text: `SELECT action, actor, network, request_id, detail FROM account.audit_events
            WHERE action = 'sign_in_refused' AND detail->>'refusal' = 'identity_conflict' ORDER BY id LIMIT 1`,
  });
  expect(refusal).toEqual({
    action: 'sign_in_refused',
    actor: 'anonymous',
    network: '127.0.0.1',
    request_id: expect.any(String),
    detail: { provider: 'github', refusal: 'identity_conflict' },
  });
});

import type { JWTPayload } from 'jose';
import { RunningAccountService } from '../../support/running-account-service.ts';
import { ScriptedIssuer } from '../../support/scripted-issuer.ts';

let service: RunningAccountService;
let issuer: ScriptedIssuer;

beforeAll(async () => {
  issuer = await ScriptedIssuer.start();
  service = await RunningAccountService.start({
    environment: { ...issuer.environment, OIDC_DOMAINS: 'ACME.example, bücher.example' },
    tenants: `
customers:
  - { slug: acme, name: Acme, domains: [acme.example, bücher.example, other.example], workspaces: [{ slug: main, name: Main }] }
  - { slug: globex, name: Globex, domains: [globex.example], workspaces: [{ slug: main, name: Main }] }
`,
  });
});
afterAll(async () => {
  await service.stop();
  issuer.stop();
});

const outcome = async (changes: JWTPayload) =>
  (await issuer.outcome(service, (nonce) => issuer.sign(issuer.claims({ nonce, ...changes })))).replace(
    /^code=.*/,
    'code',
  );

async function userOf(email: string) {
  const [user] = await service.database.asOwner.query<{ name: string; avatar: string; providers: string[] }>({
    text: `SELECT name, avatar, ARRAY(SELECT provider FROM account.user_identities
                                       WHERE user_id = users.id ORDER BY provider) AS providers
             FROM account.users WHERE email = $1`,
    values: [email],
  });
  return user;
}

test('an issuer cannot sign in as an existing user of another domain', async () => {
  await service.session('grace@globex.example', 'github');
  const before = await userOf('grace@globex.example');
  const mallory = { sub: 'mallory', email: 'grace@globex.example', name: 'Mallory' };
  expect(await outcome(mallory)).toBe('error=provider_not_allowed');
  expect(await userOf('grace@globex.example')).toEqual(before);
  expect(before?.providers).toEqual(['github']);
});

test('an issuer cannot create a user of another domain', async () => {
  expect(await outcome({ sub: 'new', email: 'new@globex.example' })).toBe('error=provider_not_allowed');
  expect(await userOf('new@globex.example')).toBeUndefined();
});

test('an issuer cannot move a user to another domain', async () => {
  expect(await outcome({ sub: 'mover', email: 'mover@acme.example' })).toBe('code');
  expect(await outcome({ sub: 'mover', email: 'mover@globex.example' })).toBe('error=provider_not_allowed');
});

test('an issuer cannot sign in as a user whose domain is no longer bound, by another address of the customer', async () => {
  await service.database.asOwner.query({
    text: `WITH added AS (INSERT INTO account.users (customer_id, email)
                          SELECT id, 'olga@other.example' FROM account.customers WHERE slug = 'acme' RETURNING id)
           INSERT INTO account.user_identities (provider, subject, user_id) SELECT 'oidc', 'olga', id FROM added`,
  });
  expect(await outcome({ sub: 'olga', email: 'olga@acme.example' })).toBe('error=provider_not_allowed');
  expect(await userOf('olga@other.example')).toMatchObject({ providers: ['oidc'] });
});

test('an unknown domain is reported as such', async () => {
  expect(await outcome({ sub: 'nina', email: 'nina@nowhere.example' })).toBe('error=domain_not_allowed');
});

test('compares the domains without case and in IDNA form', async () => {
  expect(await outcome({ sub: 'case', email: 'case@Acme.example' })).toBe('code');
  expect(await outcome({ sub: 'idna', email: 'idna@BÜCHER.example' })).toBe('code');
});

test('links the issuer to a user of its domain, without renaming the user', async () => {
  await service.session('ada@acme.example', 'github');
  const before = await userOf('ada@acme.example');
  const picture = 'https://pictures.example/other.png';
  expect(await outcome({ sub: 'ada', name: 'Mallory', picture })).toBe('code');
  expect(await userOf('ada@acme.example')).toEqual({ ...before, providers: ['github', 'oidc'] });
});

test('the provider that created a user renames the user', async () => {
  const vera = { sub: 'vera', email: 'vera@acme.example' };
  expect(await outcome({ ...vera, name: 'Vera Rubin' })).toBe('code');
  await service.session('vera@acme.example', 'google');
  expect(await outcome({ ...vera, name: 'Vera C. Rubin' })).toBe('code');
  expect(await userOf('vera@acme.example')).toMatchObject({
    name: 'Vera C. Rubin',
    providers: ['google', 'oidc'],
  });
});

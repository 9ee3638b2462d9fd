import { type AccountDatabase, createAccountDatabase, TENANTS } from './support/account-database.ts';

let database: AccountDatabase;

beforeAll(async () => {
  database = await createAccountDatabase();
  await database.applyTenants(TENANTS);
});

afterAll(() => database.drop());

test.each([
  "INSERT INTO account.customers (slug, name) VALUES ('x', 'X')",
  'UPDATE account.customers SET active = true',
  "INSERT INTO account.customer_domains (domain, customer_id) VALUES ('x.example', 1)",
  'DELETE FROM account.customer_domains',
  "INSERT INTO account.workspaces (customer_id, slug, name) VALUES (1, 'x', 'X')",
  'UPDATE account.users SET administrator = true',
  'UPDATE account.users SET disabled_at = NULL',
  'UPDATE account.users SET customer_id = 2',
  'DELETE FROM account.users',
  "UPDATE account.workspace_members SET role = 'owner'",
  'DELETE FROM account.workspace_members',
  'UPDATE account.user_identities SET user_id = 1',
  'DELETE FROM account.revocations',
  'UPDATE account.revocations SET not_before = now()',
  'UPDATE account.signing_keys SET sign_from = now()',
  'UPDATE account.sessions SET expires_at = now()',
  'UPDATE account.authorization_codes SET expires_at = now()',
  "UPDATE account.api_keys SET scopes = '{contact:write}'",
  'UPDATE account.api_keys SET workspace_id = 2',
  'UPDATE account.api_keys SET expires_at = NULL',
  'UPDATE account.api_keys SET active = true',
  "INSERT INTO account.user_passwords (user_id, password_hash) VALUES (1, 'x')",
  "UPDATE account.user_passwords SET password_hash = 'x'",
  'SELECT id FROM account.audit_events',
  "INSERT INTO account.audit_events (action, actor, occurred_at) VALUES ('x', 'anonymous', '2020-01-01')",
  'UPDATE account.audit_events SET actor = $$x$$',
  'DELETE FROM account.audit_events',
  'TRUNCATE account.audit_events',
  'DROP TABLE account.users',
  'CREATE TABLE account.x (id integer)',
  'SELECT id FROM account.migrations',
])('denies the service role: %s', async (text) => {
  await expect(database.asService.query({ text })).rejects.toThrow(/permission denied|must be owner/);
});

test('lets the service role append audit events', async () => {
  await database.asService.query({
    text: "INSERT INTO account.audit_events (action, actor) VALUES ('x', 'anonymous')",
  });
  const text = "SELECT actor FROM account.audit_events WHERE action = 'x'";
  expect(await database.asOwner.query({ text })).toEqual([{ actor: 'anonymous' }]);
});

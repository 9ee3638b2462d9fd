import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AccountDatabase, createAccountDatabase } from '../support/account-database.ts';
import { runCommand, runCommandWithInput } from '../support/run-command.ts';

const BOTH = `
customers:
  - slug: acme
    name: Acme
    domains: [acme.example, acme.test]
    workspaces: [{ slug: research, name: Research }]
`;
const ONE = BOTH.replace(', acme.test', '');

let database: AccountDatabase;
let file: string;
let directory: string;

beforeEach(async () => {
  database = await createAccountDatabase();
  await database.applyTenants(BOTH);
  directory = mkdtempSync(join(tmpdir(), 'tenants-'));
  file = join(directory, 'tenants.yaml');
});

afterEach(async () => {
  await database.drop();
  rmSync(directory, { recursive: true });
});

function apply(yaml: string, typed: string, ...options: string[]): Promise<string> {
  writeFileSync(file, yaml);
  const args = ['tenants', 'apply', '-f', file, ...options];
  return runCommandWithInput({ OWNER_DATABASE_URL: database.ownerUrl }, { typed }, ...args);
}
const domains = () => runCommand({ OWNER_DATABASE_URL: database.ownerUrl }, 'domains', 'list');

test('shows removals and asks before applying them', async () => {
  await expect(apply(ONE, 'n\n')).rejects.toThrow('canceled; nothing was changed');
  expect(await domains()).toContain('acme.test');
  expect(await apply(ONE, 'y\n')).toBe('- domain acme: acme.test\napplied');
  expect(await domains()).not.toContain('acme.test');
});

test('does not ask for additions or with --yes', async () => {
  const more = BOTH.replace('acme.test', 'acme.test, acme.more');
  expect(await apply(more, '')).toBe('+ domain acme: acme.more\napplied');
  expect(await apply(ONE, '', '--yes')).toMatch(
    /^- domain acme: acme.more\n- domain acme: acme.test\napplied$/,
  );
});

async function isWaitingForLock(): Promise<boolean> {
  const waiting = await database.asOwner.query({
    text: "SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())",
  });
  return waiting.length > 0;
}

test('applies nothing when the tenants changed during the confirmation', async () => {
  // Holds the lock, so that the tenants change between confirmation and apply.
  const asking = await database.asOwner.transaction(async (transaction) => {
    await transaction.query({
      text: "SELECT pg_advisory_xact_lock(hashtextextended('gpu-observatory:tenants', 0))",
    });
    const rejected = expect(apply(ONE, 'y\n')).rejects.toThrow(
      'the tenants changed during the confirmation; nothing was applied',
    );
    while (!(await isWaitingForLock())) await new Promise((resolve) => setTimeout(resolve, 50));
    await transaction.query({ text: "UPDATE account.customers SET name = 'Other'" });
    return { rejected };
  });
  await asking.rejected;
  expect(await domains()).toContain('acme.test');
});

test('rejects more memberships than an access token can hold', async () => {
  const workspaces = Array.from({ length: 201 }, (_, index) => `{ slug: w${index}, name: W }`).join(', ');
  await apply(BOTH.replace('{ slug: research, name: Research }', workspaces), '', '--yes');
  await database.asOwner.query({
    text: `WITH ada AS (INSERT INTO account.users (customer_id, email) VALUES (1, 'ada@acme.example') RETURNING id)
           INSERT INTO account.workspace_members (workspace_id, user_id, role)
           SELECT workspaces.id, ada.id, 'viewer' FROM account.workspaces, ada WHERE slug NOT IN ('w200', 'research')`,
  });
  const set = runCommand(
    { OWNER_DATABASE_URL: database.ownerUrl },
    ...['members', 'set', 'acme/w200', 'ada@acme.example', 'member'],
  );
  await expect(set).rejects.toThrow(
    'ada@acme.example would belong to more than 200 workspaces; an administrator has access to all workspaces',
  );
});

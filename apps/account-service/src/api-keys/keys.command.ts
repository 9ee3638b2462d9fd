import { parsePositiveInteger } from '@gpu-observatory/domain-types';
import { OperationError, type Queryable } from '@gpu-observatory/service-runtime';
import type { Command } from 'commander';
import { audit } from '../audit/audit.ts';
import { confirm, YES_OPTION } from '../operations/confirmation.ts';
import { JSON_OPTION, print } from '../operations/output.ts';
import { withOwnerDatabase } from '../operations/owner-database.ts';
import { refuseUnknownCustomer } from '../tenants/change-tenants.ts';
import { type ListedKey, listKeys, setKeyActive, setKeyScopes } from './keys-of-operators.queries.ts';
import { deleteKey } from './api-keys.queries.ts';
import { GRANTED_SCOPES, type KeyScope } from './scopes.ts';

interface ChangeOptions {
  json?: boolean;
  yes?: boolean;
}

/** `keys list|grant|revoke|disable|enable|delete`. Keys are made by the people who use them. */
export function addKeysCommands(program: Command): void {
  const keys = program
    .command('keys')
    .description('API keys of agents: what they may do, and whether they count');

  keys
    .command('list')
    .description('every key with its workspace, scopes and last use (OWNER_DATABASE_URL)')
    .option('--customer <slug>', 'of one customer alone')
    .option(...JSON_OPTION)
    .action(async ({ customer, ...options }: ChangeOptions & { customer?: string }) => {
      await withOwnerDatabase(async ({ database }) => {
        await refuseUnknownCustomer(database, customer);
        const found = await listKeys(database, { customer });
        print(options, { keys: found }, found.map(describeKey));
      });
    });

  keys
    .command('grant <key-id> <scope>')
    .description(`let a key do more: ${GRANTED_SCOPES.join(', ')} (OWNER_DATABASE_URL)`)
    .option(...JSON_OPTION)
    .action((id: string, scope: string, options: ChangeOptions) =>
      changeKey(id, 'api_key_scope_granted', options, { scope }, (transaction, key) =>
        setKeyScopes(transaction, key.id, [...new Set([...key.scopes, readScope(scope)])]),
      ),
    );

  keys
    .command('revoke <key-id> <scope>')
    .description('take a granted scope away again (OWNER_DATABASE_URL)')
    .option(...JSON_OPTION)
    .action((id: string, scope: string, options: ChangeOptions) =>
      changeKey(id, 'api_key_scope_revoked', options, { scope }, (transaction, key) => {
        const revoked = readScope(scope);
        return setKeyScopes(
          transaction,
          key.id,
          key.scopes.filter((each) => each !== revoked),
        );
      }),
    );

  for (const [word, active, sentence] of [
    ['disable', false, 'stop a key from counting, from its next check on'],
    ['enable', true, 'let a disabled key count again'],
  ] as const) {
    keys
      .command(`${word} <key-id>`)
      .description(`${sentence} (OWNER_DATABASE_URL)`)
      .option(...JSON_OPTION)
      .action((id: string, options: ChangeOptions) =>
        changeKey(id, `api_key_${word}d`, options, {}, (transaction, key) =>
          setKeyActive(transaction, key.id, active),
        ),
      );
  }

  keys
    .command('delete <key-id>')
    .description('remove a key for good (OWNER_DATABASE_URL)')
    .option(...YES_OPTION)
    .option(...JSON_OPTION)
    .action(async (id: string, options: ChangeOptions) => {
      await confirm(`Key ${id} will be removed, and its agents can send nothing more`, options);
      await changeKey(id, 'api_key_deleted', options, {}, async (transaction, key) => {
        await deleteKey(transaction, key.id);
      });
    });
}

async function changeKey(
  text: string,
  action: string,
  options: ChangeOptions,
  detail: object,
  change: (transaction: Queryable, key: ListedKey) => Promise<void>,
): Promise<void> {
  await withOwnerDatabase(async ({ database, actor }) => {
    const changed = await database.transaction(async (transaction) => {
      const key = await requireKey(transaction, text);
      await change(transaction, key);
      await audit(transaction, {
        action,
        actor,
        customerId: key.customer_id,
        detail: { api_key: key.id, workspace: key.workspace_id, ...detail },
      });
      return (await listKeys(transaction, { id: key.id }))[0] ?? key;
    });
    print(options, { action, key: changed }, [
      `key ${changed.id}: ${action.replace(/^api_key_/, '').replace('_', ' ')}`,
      describeKey(changed),
    ]);
  });
}

async function requireKey(transaction: Queryable, text: string): Promise<ListedKey> {
  const id = parsePositiveInteger(text);
  const [key] = id === null || id > 2 ** 31 - 1 ? [] : await listKeys(transaction, { id });
  if (!key) throw new OperationError(`there is no key ${text}; keys list shows those there are`);
  return key;
}

function readScope(text: string): KeyScope {
  const scope = GRANTED_SCOPES.find((each) => each === text);
  if (scope === undefined) {
    throw new OperationError(
      `${text} is no scope to grant or revoke: give one of ${GRANTED_SCOPES.join(', ')}`,
    );
  }
  return scope;
}

function describeKey(key: ListedKey): (string | number)[] {
  const marks = [
    key.active ? '' : 'disabled',
    key.expires_at === null ? '' : `expires ${key.expires_at.toISOString()}`,
  ];
  const used = key.last_used_at === null ? 'never used' : `used ${key.last_used_at.toISOString()}`;
  return [
    key.id,
    `${key.customer}/${key.workspace}`,
    key.name,
    `…${key.secret_ending}`,
    key.scopes.join(','),
    used,
    ...marks.filter(Boolean),
  ];
}

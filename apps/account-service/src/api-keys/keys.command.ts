import { parsePositiveInteger } from '@gpu-observatory/domain-types';
import { OperationError, type Queryable } from '@gpu-observatory/service-runtime/process';
import type { Command } from 'commander';
import { FLEET_READ_SCOPE } from '@gpu-observatory/token-verification';
import { audit } from '../audit/audit.ts';
import { confirm } from '../operations/confirmation.ts';
import { print, printList } from '../operations/output.ts';
import { asOperator } from '../operations/as-operator.ts';
import { revokeKeyTokens } from '../revocations/revoke-key-tokens.ts';
import { requireKnownCustomer } from '../tenants/change-tenants.ts';
import { type ListedKey, listKeys, updateKey } from './operator-keys.queries.ts';
import { deleteKey } from './api-keys.queries.ts';
import { storedId } from './key-id.ts';
import { changeReadAccess, lockReadAccess } from './read-access.queries.ts';
import { GRANTABLE_SCOPES, type KeyScope, type ReadAccess, type StoredScope } from './scopes.ts';

interface Options {
  customer?: string;
  unusedDays?: number;
  scope?: KeyScope;
  allWorkspaces?: boolean;
}

/** Adds `keys list|grant|revoke|disable|enable|delete`. Users create keys themselves through the API. */
export function addKeysCommands(program: Command): void {
  const keys = program.command('keys').description('API keys of agents: scopes and status');

  keys
    .command('list')
    .description('list keys with workspace, creator, scopes and last use (OWNER_DATABASE_URL)')
    .option('--customer <slug>', 'only of this customer')
    .option(
      '--unused-days <days>',
      'only usable keys that were neither used nor created within these days',
      parseDays,
    )
    .option('--scope <scope>', `only keys with this scope, such as ${FLEET_READ_SCOPE}`, (text) =>
      parseScope(text, ['telemetry:write', ...GRANTABLE_SCOPES]),
    )
    .action((filter: Options) =>
      asOperator(async ({ database }) => {
        await requireKnownCustomer(database, filter.customer);
        printList('keys', await listKeys(database, filter));
      }),
    );

  keys
    .command('grant <key-id> <scope>')
    .description(`grant a scope to a key: ${GRANTABLE_SCOPES.join(', ')} (OWNER_DATABASE_URL)`)
    .option('--all-workspaces', `with ${FLEET_READ_SCOPE}: for all workspaces of the customer`)
    .action((id: string, text: string, { allWorkspaces = false }: Options) => {
      const scope = parseScope(text);
      if (allWorkspaces && scope !== FLEET_READ_SCOPE) {
        throw new OperationError(`--all-workspaces applies only to ${FLEET_READ_SCOPE}`);
      }
      const detail = { scope, ...(allWorkspaces && { all_workspaces: true }) };
      return changeKey(id, { action: 'api_key_scope_granted', detail }, (transaction, key) =>
        scope === FLEET_READ_SCOPE
          ? setReadAccess(transaction, key, allWorkspaces ? 'customer' : 'workspace')
          : updateKey(transaction, key.id, { scopes: [...otherScopes(key, scope), scope] }),
      );
    });

  keys
    .command('revoke <key-id> <scope>')
    .description(
      `revoke a granted scope from a key; tokens with ${FLEET_READ_SCOPE} end within 2 s (OWNER_DATABASE_URL)`,
    )
    .action((id: string, text: string) => {
      const scope = parseScope(text);
      return changeKey(id, { action: 'api_key_scope_revoked', detail: { scope } }, (transaction, key) =>
        scope === FLEET_READ_SCOPE
          ? setReadAccess(transaction, key, null)
          : updateKey(transaction, key.id, { scopes: otherScopes(key, scope) }),
      );
    });

  for (const [command, active, description] of [
    ['disable', false, 'disable a key, effective from its next check; its tokens end within 2 s'],
    ['enable', true, 'enable a disabled key'],
  ] as const) {
    keys
      .command(`${command} <key-id>`)
      .description(`${description} (OWNER_DATABASE_URL)`)
      .action((id: string) =>
        changeKey(id, { action: `api_key_${command}d` }, async (transaction, key) => {
          if (!active) await revokeKeyTokens(transaction, key.id);
          await updateKey(transaction, key.id, { active });
        }),
      );
  }

  keys
    .command('delete <key-id>')
    .description('delete a key permanently (OWNER_DATABASE_URL)')
    .action(async (id: string) => {
      await confirm(`Key ${id} will be deleted, and its agents can no longer send telemetry or read`);
      await changeKey(id, { action: 'api_key_deleted' }, async (transaction, key) => {
        await revokeKeyTokens(transaction, key.id);
        await deleteKey(transaction, key.id);
      });
    });
}

async function changeKey(
  text: string,
  { action, detail = {} }: { action: string; detail?: object },
  change: (transaction: Queryable, key: ListedKey) => Promise<void>,
): Promise<void> {
  await asOperator(async ({ database, actor }) => {
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
    print({ action, key: changed }, [
      `key ${changed.id}: ${action.replace(/^api_key_/, '').replace('_', ' ')}; scopes ${changed.scopes.join(',')}`,
    ]);
  });
}

async function requireKey(transaction: Queryable, text: string): Promise<ListedKey> {
  const [key] = await listKeys(transaction, { id: storedId(parsePositiveInteger(text) ?? 0) });
  if (!key) throw new OperationError(`key ${text} does not exist; "keys list" shows all keys`);
  return key;
}

function parseDays(text: string): number {
  const days = parsePositiveInteger(text);
  if (days !== null && days <= 36_500) return days;
  throw new OperationError(`--unused-days must be an integer from 1 to 36500, got "${text}"`);
}

async function setReadAccess(transaction: Queryable, key: ListedKey, to: ReadAccess | null): Promise<void> {
  const locked = await lockReadAccess(transaction, key.id);
  if (locked) await changeReadAccess(transaction, key.id, { from: locked.read_access, to });
}

/** Returns the scopes of a key except one and `fleet:read`, which is stored separately. */
function otherScopes({ scopes }: ListedKey, scope: KeyScope): StoredScope[] {
  return scopes.filter((each): each is StoredScope => each !== scope && each !== FLEET_READ_SCOPE);
}

function parseScope(text: string, accepted: readonly KeyScope[] = GRANTABLE_SCOPES): KeyScope {
  const scope = accepted.find((each) => each === text);
  if (scope === undefined) {
    throw new OperationError(`scope must be one of ${accepted.join(', ')}, got "${text}"`);
  }
  return scope;
}

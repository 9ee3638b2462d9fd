import { OperationError } from '@gpu-observatory/service-runtime/process';
import type { Command } from 'commander';
import { parseEmailAddress } from '../tenants/email-address.ts';
import { repository } from '../database/repositories.ts';
import { confirm, YES_OPTION } from '../operations/confirmation.ts';
import { type CommandOptions, JSON_OPTION, print } from '../operations/output.ts';
import { asOperator } from '../operations/as-operator.ts';
import { endSessions } from '../revocations/end-sessions.ts';
import { PROVIDER_IDS, type ProviderId } from '../sign-in/sign-in-methods.ts';
import { changeTenants } from '../tenants/change-tenants.ts';
import { changeUser } from './change-user.ts';
import { UserIdentity } from './user-identity.entity.ts';
import { listUsers, setDisabled } from './users.queries.ts';

/** Adds `users list|disable|enable|unlink|promote|demote`. Returns the command `users`. */
export function addUsersCommands(program: Command): Command {
  const users = program.command('users').description('users who signed in or were declared');

  users
    .command('list')
    .description('list all users with ids, customers and identities (OWNER_DATABASE_URL)')
    .option(...JSON_OPTION)
    .action(async (options: CommandOptions) => {
      await asOperator(async ({ database }) => {
        const found = await listUsers(database);
        const lines = found.map(({ id, email, customer, administrator, disabled_at, identities }) => {
          const flags = [administrator ? 'administrator' : '', disabled_at === null ? '' : 'disabled'];
          return [id, email, customer, identities.join(',') || '-', ...flags.filter(Boolean)];
        });
        print(options, { users: found }, lines);
      });
    });

  users
    .command('disable <email>')
    .description('disable a user and end their sessions within 2 s (OWNER_DATABASE_URL)')
    .option(...JSON_OPTION)
    .action((email: string, options: CommandOptions) =>
      changeUser(email, 'user_disabled', options, async (transaction, user) => {
        await setDisabled(transaction, user.id, true);
        await endSessions(transaction, { userIds: [user.id] }, 'user disabled');
      }),
    );

  users
    .command('enable <email>')
    .description('enable a disabled user (OWNER_DATABASE_URL)')
    .option(...JSON_OPTION)
    .action((email: string, options: CommandOptions) =>
      changeUser(email, 'user_enabled', options, (transaction, user) =>
        setDisabled(transaction, user.id, false),
      ),
    );

  users
    .command('unlink <email> <provider>')
    .description(
      'unlink a user from their account at a provider and end their sessions, so that the address can be linked to ' +
        'another account (OWNER_DATABASE_URL)',
    )
    .option(...YES_OPTION)
    .option(...JSON_OPTION)
    .action(async (email: string, provider: string, options: CommandOptions) => {
      if (!PROVIDER_IDS.includes(provider as ProviderId)) {
        throw new OperationError(`provider must be one of ${PROVIDER_IDS.join(', ')}, got "${provider}"`);
      }
      await confirm(`${email} will be unlinked from their account at ${provider}`, options);
      await changeUser(email, 'identity_unlinked', options, async (transaction, user) => {
        await repository(transaction, UserIdentity).delete({ user_id: user.id, provider });
        await endSessions(transaction, { userIds: [user.id] }, 'identity unlinked');
      });
    });

  users
    .command('promote <email>')
    .description(
      'make a user an administrator, an owner of every workspace of the customer (OWNER_DATABASE_URL)',
    )
    .option(...JSON_OPTION)
    .action((email: string, options: CommandOptions) => setAdministrator(email, true, options));

  users
    .command('demote <email>')
    .description(
      'remove the administrator role; existing tokens become invalid within 2 s (OWNER_DATABASE_URL)',
    )
    .option(...YES_OPTION)
    .option(...JSON_OPTION)
    .action(async (email: string, options: CommandOptions) => {
      await confirm(`${email} will only have access to workspaces they are a member of`, options);
      await setAdministrator(email, false, options);
    });

  return users;
}

async function setAdministrator(
  text: string,
  administrator: boolean,
  options: CommandOptions,
): Promise<void> {
  await changeTenants(options, (current) => {
    const email = parseEmailAddress(text)?.address;
    const owner = current.find(({ users }) => users.some((user) => user.email === email));
    const user = owner?.users.find((each) => each.email === email);
    if (!owner || !user)
      throw new OperationError(`user ${text} does not exist; "users list" shows all users`);
    if (user.administrator === administrator) return [];
    const change = administrator ? 'administrator_added' : 'administrator_removed';
    return [{ change, customer: owner.slug, email: user.email }];
  });
}

import { OperationError } from '@gpu-observatory/service-runtime/process';
import type { Command } from 'commander';
import { parseEmailAddress } from '../tenants/email-address.ts';
import { repository } from '../database/repositories.ts';
import { confirm } from '../operations/confirmation.ts';
import { printList } from '../operations/output.ts';
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
    .action(() => asOperator(async ({ database }) => printList('users', await listUsers(database))));

  users
    .command('disable <email>')
    .description('disable a user and end their sessions within 2 s (OWNER_DATABASE_URL)')
    .action((email: string) =>
      changeUser(email, 'user_disabled', async (transaction, user) => {
        await setDisabled(transaction, user.id, true);
        await endSessions(transaction, { userIds: [user.id] }, 'user disabled');
      }),
    );

  users
    .command('enable <email>')
    .description('enable a disabled user (OWNER_DATABASE_URL)')
    .action((email: string) =>
      changeUser(email, 'user_enabled', (transaction, user) => setDisabled(transaction, user.id, false)),
    );

  users
    .command('unlink <email> <provider>')
    .description(
      'unlink a user from their account at a provider and end their sessions, so that the address can be linked to ' +
        'another account (OWNER_DATABASE_URL)',
    )
    .action(async (email: string, provider: string) => {
      if (!PROVIDER_IDS.includes(provider as ProviderId)) {
        throw new OperationError(`provider must be one of ${PROVIDER_IDS.join(', ')}, got "${provider}"`);
      }
      await confirm(`${email} will be unlinked from their account at ${provider}`);
      await changeUser(email, 'identity_unlinked', async (transaction, user) => {
        await repository(transaction, UserIdentity).delete({ user_id: user.id, provider });
        await endSessions(transaction, { userIds: [user.id] }, 'identity unlinked');
      });
    });

  users
    .command('promote <email>')
    .description(
      'make a user an administrator, an owner of every workspace of the customer (OWNER_DATABASE_URL)',
    )
    .action((email: string) => setAdministrator(email, true));

  users
    .command('demote <email>')
    .description(
      'remove the administrator role; existing tokens become invalid within 2 s (OWNER_DATABASE_URL)',
    )
    .action(async (email: string) => {
      await confirm(`${email} will only have access to workspaces they are a member of`);
      await setAdministrator(email, false);
    });

  return users;
}

/** The tenants file declares administrators too, so the role is changed as a part of the tenants and not of the user. */
async function setAdministrator(text: string, administrator: boolean): Promise<void> {
  await changeTenants((current) => {
    const email = parseEmailAddress(text)?.address;
    const users = current.flatMap(({ slug, users }) => users.map((user) => ({ customer: slug, ...user })));
    const user = users.find((each) => each.email === email);
    if (!user) throw new OperationError(`user ${text} does not exist; "users list" shows all users`);
    if (user.administrator === administrator) return [];
    const change = administrator ? 'administrator_added' : 'administrator_removed';
    return [{ change, customer: user.customer, email: user.email }];
  });
}

import { type Database, OperationRefused, type Queryable } from '@gpu-observatory/service-runtime';
import type { Command } from 'commander';
import { audit } from '../audit/audit.ts';
import { lockCustomer } from '../customers/customer-lock.ts';
import { parseEmailAddress } from '../customers/email-address.ts';
import { type Operation, withOwnerDatabase } from '../operations/owner-database.ts';
import { endSessions } from '../revocations/end-sessions.ts';
import { PROVIDER_IDS, type ProviderId } from '../sign-in/providers/provider.ts';
import { findUserByEmail, listUsers, setDisabled, unlinkIdentity, type UserRow } from './users.queries.ts';

/** `users list`, `users disable`, `users enable`, `users unlink`. */
export function addUsersCommands(program: Command): void {
  const users = program.command('users').description('the people who signed in, or were declared');

  users
    .command('list')
    .description('every user with their id, customer and identities (OWNER_DATABASE_URL)')
    .option('--json', 'as JSON')
    .action(async ({ json = false }: { json?: boolean }) => {
      await withOwnerDatabase(async ({ database }) => {
        const found = await listUsers(database);
        if (json) return console.log(JSON.stringify({ users: found }, null, 2));
        for (const { id, email, customer, administrator, disabled_at, identities } of found) {
          const marks = [administrator ? 'administrator' : '', disabled_at === null ? '' : 'disabled'];
          console.log(
            [id, email, customer, identities.join(',') || '-', ...marks.filter(Boolean)].join('\t'),
          );
        }
      });
    });

  users
    .command('disable <email>')
    .description('end a user’s sessions everywhere within 2 s and let them in no more (OWNER_DATABASE_URL)')
    .action((email: string) =>
      changeUser(email, 'user_disabled', async (transaction, user) => {
        await setDisabled(transaction, user.id, true);
        await endSessions(transaction, { userIds: [user.id] }, 'user disabled');
      }),
    );

  users
    .command('enable <email>')
    .description('let a disabled user sign in again (OWNER_DATABASE_URL)')
    .action((email: string) =>
      changeUser(email, 'user_enabled', (transaction, user) => setDisabled(transaction, user.id, false)),
    );

  users
    .command('unlink <email> <provider>')
    .description(
      'forget a user’s account at a provider and end their sessions, so that the address may come with another account ' +
        'there (OWNER_DATABASE_URL)',
    )
    .action((email: string, provider: string) => {
      if (!PROVIDER_IDS.includes(provider as ProviderId)) {
        throw new OperationRefused(`${provider} is no provider: give one of ${PROVIDER_IDS.join(', ')}`);
      }
      return changeUser(email, 'identity_unlinked', async (transaction, user) => {
        await unlinkIdentity(transaction, user.id, provider);
        await endSessions(transaction, { userIds: [user.id] }, 'identity unlinked');
      });
    });
}

async function changeUser(
  text: string,
  action: string,
  change: (transaction: Queryable, user: UserRow) => Promise<void>,
): Promise<void> {
  await withOwnerDatabase(async ({ database, actor }: Operation) => {
    const user = await requireUser(database, text);
    await database.transaction(async (transaction) => {
      await lockCustomer(transaction, user.customer_id, 'exclusive');
      await change(transaction, user);
      await audit(transaction, { action, actor, customerId: user.customer_id, userId: user.id });
    });
    console.log(`${user.email}: ${action.replace('_', ' ')}`);
  });
}

async function requireUser(database: Database, text: string): Promise<UserRow> {
  const address = parseEmailAddress(text)?.address;
  const user = address && (await findUserByEmail(database, address));
  if (!user) throw new OperationRefused(`there is no user ${text}; users list shows those there are`);
  return user;
}

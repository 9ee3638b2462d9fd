import { isUuid } from '@gpu-observatory/domain-types';
import { OperationError } from '@gpu-observatory/service-runtime/process';
import type { Command } from 'commander';
import { asOperator } from '../operations/as-operator.ts';
import { confirm } from '../operations/confirmation.ts';
import { print, printList } from '../operations/output.ts';
import { endSessions } from '../revocations/end-sessions.ts';
import { requireKnownCustomer } from '../tenants/change-tenants.ts';
import { changeUser, requireUser } from '../users/change-user.ts';
import { endSession } from './end-session.ts';
import { listSessions } from './session-list.queries.ts';

interface Options {
  user?: string;
  customer?: string;
}

/** Adds `sessions list|end`. */
export function addSessionsCommands(program: Command): void {
  const sessions = program.command('sessions').description('active sessions of users');

  sessions
    .command('list')
    .description('list active sessions with user, network and user agent (OWNER_DATABASE_URL)')
    .option('--user <email>', 'only of this user')
    .option('--customer <slug>', 'only of this customer')
    .action(({ user, customer }: Options) =>
      asOperator(async ({ database }) => {
        await requireKnownCustomer(database, customer);
        const email = user === undefined ? undefined : (await requireUser(database, user)).email;
        printList('sessions', await listSessions(database, { email, customer }));
      }),
    );

  sessions
    .command('end [session-id]')
    .description('end one session, or all sessions of a user, within 2 s (OWNER_DATABASE_URL)')
    .option('--user <email>', 'all sessions of this user')
    .action(async (id: string | undefined, { user }: Options) => {
      if ((id === undefined) === (user === undefined)) {
        throw new OperationError('give either a session id or --user; "sessions list" shows all sessions');
      }
      if (user !== undefined) return endAllSessions(user);
      return endOneSession(id as string);
    });
}

async function endAllSessions(email: string): Promise<void> {
  await confirm(`${email} will be signed out everywhere`);
  await changeUser(email, 'sessions_ended', (transaction, user) =>
    endSessions(transaction, { userIds: [user.id] }, 'ended by an operator'),
  );
}

async function endOneSession(text: string): Promise<void> {
  if (!isUuid(text)) throw new OperationError(`a session id must be a UUID, got "${text}"`);
  const id = text.toLowerCase();
  await confirm(`Session ${id} will end`);
  await asOperator(async ({ database, actor }) => {
    const hasEnded = await database.transaction((transaction) =>
      endSession(transaction, id, { action: 'session_ended', actor }),
    );
    if (!hasEnded) {
      throw new OperationError(`session ${id} is not active; "sessions list" shows all sessions`);
    }
    print({ action: 'session_ended', session: id }, [`${id}: session ended`]);
  });
}

import { text } from 'node:stream/consumers';
import type { Command } from 'commander';
import { confirm } from '../../operations/confirmation.ts';
import { endSessions } from '../../revocations/end-sessions.ts';
import { changeUser } from '../../users/change-user.ts';
import { clearAttempts } from './password-attempts.ts';
import { hashPassword } from './password-hash.ts';
import { PASSWORD_LENGTH, requireStrength, validatePassword } from './password-requirements.ts';
import { setPassword } from './passwords.queries.ts';

/** Adds `passwords set|clear`, for deployments with PASSWORD_SIGN_IN. */
export function addPasswordsCommands(program: Command): void {
  const passwords = program.command('passwords').description('passwords for sign-in with email and password');

  passwords
    .command('set <email>')
    .description(
      `set the password of a user from standard input, at least ${PASSWORD_LENGTH.min} characters and not easy to guess; ends ` +
        'their sessions and locks (OWNER_DATABASE_URL)',
    )
    .action(async (email: string) => {
      const password = validatePassword(await text(process.stdin), 'the password on standard input');
      const hash = await hashPassword(password);
      await changeUser(email, 'password_set', async (transaction, user) => {
        await requireStrength(password, user);
        await clearAttempts(transaction, user.email);
        await setPassword(transaction, user.id, hash);
        await endSessions(transaction, { userIds: [user.id] }, 'password set');
      });
    });

  passwords
    .command('clear <email>')
    .description('remove the password of a user and end their sessions (OWNER_DATABASE_URL)')
    .action(async (email: string) => {
      await confirm(`${email} will no longer be able to sign in with a password`);
      await changeUser(email, 'password_cleared', async (transaction, user) => {
        await setPassword(transaction, user.id, null);
        await endSessions(transaction, { userIds: [user.id] }, 'password cleared');
      });
    });
}

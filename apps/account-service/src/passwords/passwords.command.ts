import { text } from 'node:stream/consumers';
import { OperationError } from '@gpu-observatory/service-runtime';
import type { Command } from 'commander';
import { confirm, YES_OPTION } from '../operations/confirmation.ts';
import { JSON_OPTION } from '../operations/output.ts';
import { endSessions } from '../revocations/end-sessions.ts';
import { changeUser } from '../users/change-user.ts';
import { hashPassword } from './password-hash.ts';
import { clearPassword, setPassword } from './passwords.queries.ts';

const MIN_LENGTH = 12;
const MAX_LENGTH = 1_000;

interface Options {
  json?: boolean;
  yes?: boolean;
}

/** Adds `passwords set|clear`, for deployments with PASSWORD_SIGN_IN. */
export function addPasswordsCommands(program: Command): void {
  const passwords = program.command('passwords').description('passwords for sign-in with email and password');

  passwords
    .command('set <email>')
    .description(
      `set the password of a user from standard input, at least ${MIN_LENGTH} characters, and end their sessions ` +
        '(OWNER_DATABASE_URL)',
    )
    .option(...JSON_OPTION)
    .action(async (email: string, options: Options) => {
      const hash = await hashPassword(validatePassword(await text(process.stdin)));
      await changeUser(email, 'password_set', options, async (transaction, user) => {
        await setPassword(transaction, user.id, hash);
        await endSessions(transaction, { userIds: [user.id] }, 'password set');
      });
    });

  passwords
    .command('clear <email>')
    .description('remove the password of a user and end their sessions (OWNER_DATABASE_URL)')
    .option(...YES_OPTION)
    .option(...JSON_OPTION)
    .action(async (email: string, options: Options) => {
      await confirm(`${email} will no longer be able to sign in with a password`, options);
      await changeUser(email, 'password_cleared', options, async (transaction, user) => {
        await clearPassword(transaction, user.id);
        await endSessions(transaction, { userIds: [user.id] }, 'password cleared');
      });
    });
}

/** @throws {OperationError} */
function validatePassword(input: string): string {
  const password = input.replace(/\r?\n$/, '');
  const length = [...password].length;
  if (length >= MIN_LENGTH && length <= MAX_LENGTH && !/\p{Cc}/u.test(password)) return password;
  throw new OperationError(
    `the password on standard input must be one line of ${MIN_LENGTH} to ${MAX_LENGTH} characters, without control characters`,
  );
}

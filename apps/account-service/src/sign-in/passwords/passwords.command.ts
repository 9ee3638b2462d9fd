import { text } from 'node:stream/consumers';
import { OperationError } from '@gpu-observatory/service-runtime/process';
import type { Command } from 'commander';
import { confirm, YES_OPTION } from '../../operations/confirmation.ts';
import { JSON_OPTION } from '../../operations/output.ts';
import { endSessions } from '../../revocations/end-sessions.ts';
import { changeUser } from '../../users/change-user.ts';
import type { User } from '../../users/user.entity.ts';
import { hashPassword } from './password-hash.ts';
import { clearAttempts } from './password-attempts.ts';
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
      `set the password of a user from standard input, at least ${MIN_LENGTH} characters and not easy to guess; ends ` +
        'their sessions and locks (OWNER_DATABASE_URL)',
    )
    .option(...JSON_OPTION)
    .action(async (email: string, options: Options) => {
      const password = validatePassword(await text(process.stdin));
      const hash = await hashPassword(password);
      await changeUser(email, 'password_set', options, async (transaction, user) => {
        await requireStrength(password, user);
        await clearAttempts(transaction, user.email);
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

/** @throws {OperationError} for a common, personal or otherwise predictable password */
async function requireStrength(password: string, user: User): Promise<void> {
  // Loaded on demand: the dictionaries take most of a second.
  const { findWeakness } = await import('./password-strength.ts');
  const weakness = findWeakness(password, user);
  if (weakness !== null) {
    throw new OperationError(`the password is too easy to guess: ${weakness} Choose a longer or random one`);
  }
}

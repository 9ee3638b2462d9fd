import { randomBytes } from 'node:crypto';
import { OperationError, readSettings } from '@gpu-observatory/service-runtime/process';
import type { Command } from 'commander';
import { z } from 'zod';
import { audit } from '../../audit/audit.ts';
import { asOperator, operatorSettings } from '../../operations/as-operator.ts';
import { print } from '../../operations/output.ts';
import { addAdministrator } from '../../tenants/change-tenants.ts';
import { lockCustomer } from '../../tenants/customer-lock.ts';
import { parseEmailAddress } from '../../tenants/email-address.ts';
import { requireUser } from '../../users/change-user.ts';
import { hashPassword } from './password-hash.ts';
import { requireStrength, validatePassword } from './password-requirements.ts';
import { hasPasswordHistory, setPassword } from './passwords.queries.ts';

/** Settings of `users create-administrator`. */
export const administratorSettings = {
  ADMINISTRATOR_PASSWORD: z
    .string()
    .optional()
    .describe('password of users create-administrator (default: a random one, which it prints)'),
};

interface Options {
  customer?: string;
}

/** Adds `users create-administrator`: a first sign-in without an identity provider or a tenants file. */
export function addCreateAdministratorCommand(users: Command): void {
  users
    .command('create-administrator <email>')
    .description(
      'create an administrator with the password in ADMINISTRATOR_PASSWORD or a random one, and the customer with its email ' +
        'domain and a workspace if they are missing; of a user that exists, it changes nothing but the password of an ' +
        'administrator who never had one (OWNER_DATABASE_URL)',
    )
    .option('--customer <slug>', 'customer of the user (default: by the email domain)')
    .action(async (text: string, { customer }: Options) => {
      const email = parseEmailAddress(text)?.address;
      if (email === undefined) throw new OperationError(`"${text}" is not an email address`);
      const { ADMINISTRATOR_PASSWORD: given } = readSettings(
        { ...operatorSettings, ...administratorSettings },
        process.env,
      );
      const password =
        given === undefined
          ? randomBytes(18).toString('base64url')
          : validatePassword(given, 'ADMINISTRATOR_PASSWORD');
      await requireStrength(password, { email, name: '' });
      const { changes, lines, isPasswordSet } = await createAdministrator(
        email,
        await hashPassword(password),
        customer,
      );
      const result = { user: email, changes, password_set: isPasswordSet };
      if (!isPasswordSet) {
        return print(result, [
          `${email} exists, so nothing was changed; "users promote" makes the user an administrator, "passwords set" sets a password`,
        ]);
      }
      const changed = changes.length > 0 ? lines : [];
      if (given !== undefined) return print(result, [...changed, `${email}: password set`]);
      print({ ...result, password }, [...changed, `password of ${email}: ${password}`]);
    });
}

/**
 * Creates the administrator with a password. An administrator whom a tenants file created has none yet and gets it too. Access
 * that an operator removed stays removed: it sets no password of a user who had one or is no administrator.
 *
 * @returns no changes when the user exists
 */
async function createAdministrator(email: string, hash: string, customer?: string) {
  return asOperator(({ database, actor }) =>
    database.transaction(async (transaction) => {
      const added = await addAdministrator(transaction, actor, email, customer);
      const { id, customer_id: customerId, administrator } = await requireUser(transaction, email);
      await lockCustomer(transaction, customerId, 'exclusive');
      const isPasswordSet = administrator && !(await hasPasswordHistory(transaction, id));
      if (isPasswordSet) {
        await setPassword(transaction, id, hash);
        await audit(transaction, { action: 'password_set', actor, customerId, userId: id });
      }
      return { ...added, isPasswordSet };
    }),
  );
}

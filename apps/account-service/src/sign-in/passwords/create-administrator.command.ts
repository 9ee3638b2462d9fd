import { randomBytes } from 'node:crypto';
import { OperationError, readSettings } from '@gpu-observatory/service-runtime/process';
import type { Command } from 'commander';
import { z } from 'zod';
import { audit } from '../../audit/audit.ts';
import { asOperator, operatorSettings } from '../../operations/as-operator.ts';
import { JSON_OPTION, print } from '../../operations/output.ts';
import { addAdministrator } from '../../tenants/change-tenants.ts';
import { parseEmailAddress } from '../../tenants/email-address.ts';
import { requireUser } from '../../users/change-user.ts';
import { hashPassword } from './password-hash.ts';
import { requireStrength, validatePassword } from './password-requirements.ts';
import { findUserWithPassword, setPassword } from './passwords.queries.ts';

/** Settings of `users create-administrator`. */
export const administratorSettings = {
  ADMINISTRATOR_PASSWORD: z
    .string()
    .optional()
    .describe('password of users create-administrator (default: a random one, which it prints)'),
};

interface Options {
  customer?: string;
  json?: boolean;
}

/** Adds `users create-administrator`: a first sign-in without an identity provider or a tenants file. */
export function addCreateAdministratorCommand(users: Command): void {
  users
    .command('create-administrator <email>')
    .description(
      'create an administrator with the password in ADMINISTRATOR_PASSWORD or a random one, and the customer, its email ' +
        'domain and a workspace where they are missing; keeps an existing password (OWNER_DATABASE_URL)',
    )
    .option('--customer <slug>', 'customer of the user (default: from the email domain)')
    .option(...JSON_OPTION)
    .action(async (text: string, options: Options) => {
      const email = parseEmailAddress(text)?.address;
      if (email === undefined) throw new OperationError(`"${text}" is not an email address`);
      const { ADMINISTRATOR_PASSWORD: given } = readSettings(
        { ...operatorSettings, ...administratorSettings },
        process.env,
      );
      const generated = given === undefined ? randomBytes(18).toString('base64url') : undefined;
      const password = generated ?? validatePassword(given ?? '', 'ADMINISTRATOR_PASSWORD');
      await requireStrength(password, { email, name: '' });
      const hash = await hashPassword(password);
      const { changes, lines, isSet } = await createAdministrator(email, hash, options);
      print(
        options,
        {
          user: email,
          changes,
          password_set: isSet,
          ...(isSet && generated !== undefined && { password: generated }),
        },
        [...lines, describePassword(email, isSet, generated)],
      );
    });
}

async function createAdministrator(email: string, hash: string, { customer }: Options) {
  return asOperator(({ database, actor }) =>
    database.transaction(async (transaction) => {
      const added = await addAdministrator(transaction, actor, email, customer);
      const isSet = (await findUserWithPassword(transaction, email)) === undefined;
      if (isSet) {
        const { id, customer_id: customerId } = await requireUser(transaction, email);
        await setPassword(transaction, id, hash);
        await audit(transaction, { action: 'password_set', actor, customerId, userId: id });
      }
      return { ...added, isSet };
    }),
  );
}

function describePassword(email: string, isSet: boolean, generated?: string): string {
  if (!isSet) return `${email} already has a password; "passwords set" changes it`;
  return generated === undefined ? `${email}: password set` : `password of ${email}: ${generated}`;
}

import { randomBytes } from 'node:crypto';
import { readSettings } from '@gpu-observatory/service-runtime/process';
import type { Command } from 'commander';
import { z } from 'zod';
import { audit } from '../audit/audit.ts';
import { asOperator, operatorSettings } from '../operations/as-operator.ts';
import { JSON_OPTION, print } from '../operations/output.ts';
import { hashPassword } from '../sign-in/passwords/password-hash.ts';
import { requireStrength, validatePassword } from '../sign-in/passwords/password-requirements.ts';
import { findUserWithPassword, setPassword } from '../sign-in/passwords/passwords.queries.ts';
import { applyChanges } from '../tenants/apply-changes.ts';
import { parseArgument } from '../tenants/change-tenants.ts';
import { describeChanges } from '../tenants/describe-change.ts';
import { email as emailAddress, slug } from '../tenants/tenants-file.ts';
import { lockTenants, readTenants } from '../tenants/tenants.queries.ts';
import { requireUser } from './change-user.ts';
import { planAdministrator } from './plan-administrator.ts';

/** Settings of `users create-administrator`. */
export const administratorSettings = {
  ADMINISTRATOR_PASSWORD: z
    .string()
    .optional()
    .describe('password of users create-administrator (default: a random one, which it prints)'),
};

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
    .action(async (text: string, options: { customer?: string; json?: boolean }) => {
      const email = parseArgument(emailAddress, text, 'the email address');
      const customer =
        options.customer === undefined ? undefined : parseArgument(slug, options.customer, '--customer');
      const { ADMINISTRATOR_PASSWORD: given } = readSettings(
        { ...operatorSettings, ...administratorSettings },
        process.env,
      );
      const password =
        given === undefined
          ? randomBytes(18).toString('base64url')
          : validatePassword(given, 'ADMINISTRATOR_PASSWORD');
      await requireStrength(password, { email, name: '' });
      const hash = await hashPassword(password);
      await asOperator(async ({ database, actor }) => {
        const { changes, isSet } = await database.transaction(async (transaction) => {
          await lockTenants(transaction);
          const changes = planAdministrator(await readTenants(transaction), email, customer);
          const hasPassword = (await findUserWithPassword(transaction, email)) !== undefined;
          // It only adds, so it writes no revocations, and further statements may follow.
          await applyChanges(transaction, changes, actor);
          if (!hasPassword) {
            const { id, customer_id: customerId } = await requireUser(transaction, email);
            await setPassword(transaction, id, hash);
            await audit(transaction, { action: 'password_set', actor, customerId, userId: id });
          }
          return { changes, isSet: !hasPassword };
        });
        const shown = isSet && given === undefined ? { password } : {};
        print(options, { user: email, changes, password_set: isSet, ...shown }, [
          ...describeChanges(changes),
          ...(isSet ? [] : [`${email} already has a password; "passwords set" changes it`]),
          ...(isSet && given === undefined ? [`password of ${email}: ${password}`] : []),
          ...(isSet && given !== undefined ? [`${email}: password set`] : []),
        ]);
      });
    });
}

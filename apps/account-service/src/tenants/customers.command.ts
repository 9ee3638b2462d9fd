import { OperationError } from '@gpu-observatory/service-runtime/process';
import { type Command, Option } from 'commander';
import { z } from 'zod';
import { confirm } from '../operations/confirmation.ts';
import { printList } from '../operations/output.ts';
import { SIGN_IN_METHODS, type SignInMethodId } from '../sign-in/sign-in-methods.ts';
import { DEFAULT_ROLES, type DefaultRole } from './customer.entity.ts';
import {
  changeTenants,
  currentTenants,
  parseArgument,
  parseName,
  requireCustomer,
} from './change-tenants.ts';
import { type CustomerFields, diffCustomerFields, newCustomer } from './tenants-diff.ts';
import { maxKeyDays, slug } from './tenants-file.ts';

interface CustomerOptions {
  name?: string;
  defaultRole?: DefaultRole;
  maxKeyDays?: string;
  signInMethods?: string;
  googleWorkspaceRequired?: 'true' | 'false';
}

/** Adds the options of `fieldsOf`. */
function withFieldOptions(command: Command): Command {
  return command
    .option('--name <name>', 'display name', parseName)
    .addOption(
      new Option('--default-role <role>', 'role of new users in the default workspace').choices(
        DEFAULT_ROLES,
      ),
    )
    .option('--max-key-days <days>', 'maximum lifetime of new API keys, or none')
    .option(
      '--sign-in-methods <list>',
      `allowed sign-in methods: all, or a list of ${SIGN_IN_METHODS.join(',')}`,
    )
    .addOption(
      new Option(
        '--google-workspace-required <flag>',
        'whether an account at Google must belong to the Workspace of the email domain',
      ).choices(['true', 'false']),
    );
}

/** Adds `customers list|add|set|disable|enable`. */
export function addCustomersCommands(program: Command): void {
  const customers = program.command('customers').description('organizations whose users may sign in');

  customers
    .command('list')
    .description('list all customers with ids and domains (OWNER_DATABASE_URL)')
    .action(async () => {
      const rows = (await currentTenants()).map(({ users, workspaces: _workspaces, ...customer }) => ({
        ...customer,
        user_count: users.length,
      }));
      printList('customers', rows);
    });

  withFieldOptions(customers.command('add <slug>'))
    .description('add a customer; add its domains and workspaces next (OWNER_DATABASE_URL)')
    .action((text: string, options: CustomerOptions) =>
      changeTenants((current) => {
        const customer = parseArgument(slug, text, 'the slug');
        if (current.some((each) => each.slug === customer)) {
          throw new OperationError(`customer ${customer} already exists; "customers set" changes it`);
        }
        return [
          { change: 'customer_added', customer, to: { ...newCustomer(customer), ...fieldsOf(options) } },
        ];
      }),
    );

  withFieldOptions(customers.command('set <slug>'))
    .description(
      'change a customer; sessions of a method that is no longer allowed end within 2 s (OWNER_DATABASE_URL)',
    )
    .action((customer: string, options: CustomerOptions) =>
      changeTenants((current) => diffCustomerFields(fieldsOf(options), requireCustomer(current, customer))),
    );

  customers
    .command('disable <slug>')
    .description('end all sessions of a customer within 2 s and disable its keys (OWNER_DATABASE_URL)')
    .action(async (customer: string) => {
      await confirm(`All users of ${customer} will be signed out and its keys will stop working`);
      await setActive(customer, false);
    });

  customers
    .command('enable <slug>')
    .description('enable a disabled customer and its keys (OWNER_DATABASE_URL)')
    .action((customer: string) => setActive(customer, true));
}

function setActive(customer: string, active: boolean): Promise<void> {
  return changeTenants((current) => diffCustomerFields({ active }, requireCustomer(current, customer)));
}

function fieldsOf(options: CustomerOptions): Partial<CustomerFields> {
  return {
    ...(options.name !== undefined && { name: options.name }),
    ...(options.defaultRole !== undefined && { default_role: options.defaultRole }),
    ...(options.maxKeyDays !== undefined && { max_key_days: parseMaxKeyDays(options.maxKeyDays) }),
    ...(options.signInMethods !== undefined && { sign_in_methods: parseMethods(options.signInMethods) }),
    ...(options.googleWorkspaceRequired !== undefined && {
      google_workspace_required: options.googleWorkspaceRequired === 'true',
    }),
  };
}

function parseMaxKeyDays(text: string): number | null {
  if (text === 'none') return null;
  return parseArgument(z.coerce.number().pipe(maxKeyDays), text, '--max-key-days');
}

function parseMethods(text: string): SignInMethodId[] | null {
  if (text === 'all') return null;
  const methods = [...new Set(text.split(',').map((each) => each.trim()))].sort();
  const unknown = methods.find((each) => !SIGN_IN_METHODS.some((method) => method === each));
  if (unknown === undefined) return methods as SignInMethodId[];
  throw new OperationError(
    `--sign-in-methods must be all, or a list of ${SIGN_IN_METHODS.join(',')}, got "${unknown}"`,
  );
}

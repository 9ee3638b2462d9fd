import { OperationError } from '@gpu-observatory/service-runtime';
import { type Command, Option } from 'commander';
import { confirm, YES_OPTION } from '../operations/confirmation.ts';
import { JSON_OPTION, print } from '../operations/output.ts';
import { SIGN_IN_METHODS } from '../sign-in/providers/provider.ts';
import { changeTenants, currentTenants, readArgument, requireCustomer } from '../tenants/change-tenants.ts';
import type { CustomerFields } from '../tenants/difference.ts';
import { name, slug } from '../tenants/tenants-file.ts';

interface CustomerOptions {
  name?: string;
  defaultRole?: 'member' | 'viewer';
  providers?: string;
  json?: boolean;
  yes?: boolean;
}

const nameOption = () => new Option('--name <name>', 'what people read');
const defaultRoleOption = () =>
  new Option(
    '--default-role <role>',
    'what people are in the default workspace when they first sign in',
  ).choices(['member', 'viewer']);
const providersOption = () =>
  new Option('--providers <list>', `how its people may sign in: all, or of ${SIGN_IN_METHODS.join(',')}`);

/** `customers list|add|set|disable|enable`. */
export function addCustomersCommands(program: Command): void {
  const customers = program.command('customers').description('the organisations whose people may sign in');

  customers
    .command('list')
    .description('every customer with its id and domains (OWNER_DATABASE_URL)')
    .option(...JSON_OPTION)
    .action(async (options: CustomerOptions) => {
      const found = (await currentTenants()).map(
        ({ id, slug, name, active, default_role, providers, domains, users }) => ({
          ...{ id, slug, name, active, default_role, providers, domains },
          user_count: users.length,
        }),
      );
      const lines = found.map(({ id, slug, active, domains, user_count: count }) => [
        id,
        slug,
        active ? 'active' : 'inactive',
        domains.join(','),
        `${count} users`,
      ]);
      print(options, { customers: found }, lines);
    });

  customers
    .command('add <slug>')
    .description('take in a customer; give it domains and workspaces next (OWNER_DATABASE_URL)')
    .addOption(nameOption())
    .addOption(defaultRoleOption())
    .addOption(providersOption())
    .option(...JSON_OPTION)
    .action((text: string, options: CustomerOptions) =>
      changeTenants(options, (current) => {
        const customer = readArgument(slug, text, 'the slug');
        if (current.some((each) => each.slug === customer)) {
          throw new OperationError(`there is a customer ${customer}; customers set changes it`);
        }
        const to = { name: customer, active: true, default_role: 'viewer' as const, providers: null };
        return [{ change: 'customer_added', customer, to: { ...to, ...fieldsOf(options) } }];
      }),
    );

  customers
    .command('set <slug>')
    .description(
      'change a customer; whoever may no longer sign in as they did is refused at the next refresh (OWNER_DATABASE_URL)',
    )
    .addOption(nameOption())
    .addOption(defaultRoleOption())
    .addOption(providersOption())
    .option(...JSON_OPTION)
    .action((customer: string, options: CustomerOptions) =>
      changeTenants(options, (current) => steps(requireCustomer(current, customer), fieldsOf(options))),
    );

  customers
    .command('disable <slug>')
    .description('end the sessions of all its people within 2 s, and stop its keys (OWNER_DATABASE_URL)')
    .option(...YES_OPTION)
    .option(...JSON_OPTION)
    .action(async (customer: string, options: CustomerOptions) => {
      await confirm(`Everybody of ${customer} will be signed out and its keys will stop`, options);
      await changeTenants(options, (current) => steps(requireCustomer(current, customer), { active: false }));
    });

  customers
    .command('enable <slug>')
    .description('let a disabled customer’s people and keys in again (OWNER_DATABASE_URL)')
    .option(...JSON_OPTION)
    .action((customer: string, options: CustomerOptions) =>
      changeTenants(options, (current) => steps(requireCustomer(current, customer), { active: true })),
    );
}

/** One step a field that is not so already. */
function steps(customer: CustomerFields & { slug: string }, to: Partial<CustomerFields>) {
  return (Object.keys(to) as (keyof CustomerFields)[])
    .filter((field) => JSON.stringify(to[field]) !== JSON.stringify(customer[field]))
    .map((field) => ({
      change: 'customer_changed' as const,
      customer: customer.slug,
      from: { [field]: customer[field] },
      to: { [field]: to[field] },
    }));
}

function fieldsOf(options: CustomerOptions): Partial<CustomerFields> {
  return {
    ...(options.name !== undefined && { name: readArgument(name, options.name, 'the name') }),
    ...(options.defaultRole !== undefined && { default_role: options.defaultRole }),
    ...(options.providers !== undefined && { providers: readProviders(options.providers) }),
  };
}

function readProviders(text: string): string[] | null {
  if (text === 'all') return null;
  const given = [...new Set(text.split(',').map((each) => each.trim()))].sort();
  const unknown = given.find((each) => !SIGN_IN_METHODS.some((method) => method === each));
  if (unknown === undefined) return given;
  throw new OperationError(
    `"${unknown}" is no sign-in method: give all, or some of ${SIGN_IN_METHODS.join(',')}`,
  );
}

import { OperationError } from '@gpu-observatory/service-runtime';
import type { Command } from 'commander';
import { JSON_OPTION, print } from '../operations/output.ts';
import {
  changeTenants,
  currentTenants,
  readArgument,
  requireCustomer,
  requireWorkspace,
} from '../tenants/change-tenants.ts';
import type { Change } from '../tenants/difference.ts';
import type { CurrentCustomer } from '../tenants/tenants.queries.ts';
import { name, slug } from '../tenants/tenants-file.ts';

interface Options {
  customer?: string;
  name?: string;
  default?: boolean;
  json?: boolean;
}

/** `workspaces list|add|set`. None is ever removed: telemetry and alerts refer to it. */
export function addWorkspacesCommands(program: Command): void {
  const workspaces = program
    .command('workspaces')
    .description('the parts of a customer that people and keys belong to');

  workspaces
    .command('list')
    .description('every workspace with its id (OWNER_DATABASE_URL)')
    .option('--customer <slug>', 'of one customer alone')
    .option(...JSON_OPTION)
    .action(async ({ customer, ...options }: Options) => {
      const found = (await currentTenants(customer)).flatMap((each) =>
        each.workspaces.map(({ id, slug, name, is_default, members }) => ({
          ...{ id, customer: each.slug, slug, name, is_default },
          member_count: members.length,
        })),
      );
      const lines = found.map(({ id, customer: owner, slug, name, is_default, member_count: count }) => [
        id,
        `${owner}/${slug}`,
        name,
        `${count} members`,
        ...(is_default ? ['default'] : []),
      ]);
      print(options, { workspaces: found }, lines);
    });

  workspaces
    .command('add <customer> <slug>')
    .description('make a workspace; a customer’s first one is its default (OWNER_DATABASE_URL)')
    .option('--name <name>', 'what people read')
    .option('--default', 'who signs in for the first time joins it')
    .option(...JSON_OPTION)
    .action((customerSlug: string, text: string, options: Options) =>
      changeTenants(options, (current) => {
        const customer = requireCustomer(current, customerSlug);
        const workspace = readArgument(slug, text, 'the slug');
        if (customer.workspaces.some((each) => each.slug === workspace)) {
          throw new OperationError(
            `there is a workspace ${customer.slug}/${workspace}; workspaces set changes it`,
          );
        }
        const isDefault = options.default === true || customer.workspaces.length === 0;
        const to = { name: readName(options) ?? workspace, is_default: isDefault };
        return [
          ...(isDefault ? formerDefault(customer) : []),
          { change: 'workspace_added', customer: customer.slug, workspace, to },
        ];
      }),
    );

  workspaces
    .command('set <customer/workspace>')
    .description('rename a workspace or make it the default (OWNER_DATABASE_URL)')
    .option('--name <name>', 'what people read')
    .option('--default', 'who signs in for the first time joins it')
    .option(...JSON_OPTION)
    .action((place: string, options: Options) =>
      changeTenants(options, (current) => {
        const { customer, workspace } = requireWorkspace(current, place);
        const at = {
          change: 'workspace_changed' as const,
          customer: customer.slug,
          workspace: workspace.slug,
        };
        const newName = readName(options);
        const steps: Change[] = [];
        if (newName !== undefined && newName !== workspace.name) {
          steps.push({ ...at, from: { name: workspace.name }, to: { name: newName } });
        }
        if (options.default && !workspace.is_default) {
          steps.push(...formerDefault(customer), {
            ...at,
            from: { is_default: false },
            to: { is_default: true },
          });
        }
        return steps;
      }),
    );
}

function readName(options: Options): string | undefined {
  return options.name === undefined ? undefined : readArgument(name, options.name, 'the name');
}

/** One workspace alone is the default. */
function formerDefault({ slug: customer, workspaces }: CurrentCustomer): Change[] {
  return workspaces
    .filter(({ is_default }) => is_default)
    .map(({ slug: workspace }) => ({
      change: 'workspace_changed',
      customer,
      workspace,
      from: { is_default: true },
      to: { is_default: false },
    }));
}

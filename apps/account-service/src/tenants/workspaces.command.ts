import { OperationError } from '@gpu-observatory/service-runtime/process';
import type { Command } from 'commander';
import { printList } from '../operations/output.ts';
import {
  changeTenants,
  currentTenants,
  parseArgument,
  requireCustomer,
  requireWorkspace,
} from './change-tenants.ts';
import { type Change, diffFields, type WorkspaceFields } from './tenants-diff.ts';
import type { CurrentCustomer } from './tenants.queries.ts';
import { name, slug } from './tenants-file.ts';

interface Options {
  customer?: string;
  name?: string;
  default?: boolean;
}

/** Adds `workspaces list|add|set`. Workspaces cannot be removed, because telemetry and alerts refer to them. */
export function addWorkspacesCommands(program: Command): void {
  const workspaces = program
    .command('workspaces')
    .description('workspaces of customers, which have members and API keys');

  workspaces
    .command('list')
    .description('list all workspaces with their ids (OWNER_DATABASE_URL)')
    .option('--customer <slug>', 'only of this customer')
    .action(async ({ customer }: Options) => {
      const rows = (await currentTenants(customer)).flatMap((each) =>
        each.workspaces.map(({ id, slug, name, is_default, members }) => ({
          ...{ id, customer: each.slug, slug, name, is_default },
          member_count: members.length,
        })),
      );
      printList('workspaces', rows);
    });

  workspaces
    .command('add <customer> <slug>')
    .description('create a workspace; the first one of a customer is its default (OWNER_DATABASE_URL)')
    .option('--name <name>', 'display name')
    .option('--default', 'make it the workspace that new users join')
    .action((customerSlug: string, text: string, options: Options) =>
      changeTenants((current) => {
        const customer = requireCustomer(current, customerSlug);
        const workspace = parseArgument(slug, text, 'the slug');
        if (customer.workspaces.some((each) => each.slug === workspace)) {
          throw new OperationError(
            `workspace ${customer.slug}/${workspace} already exists; "workspaces set" changes it`,
          );
        }
        const isDefault = options.default === true || customer.workspaces.length === 0;
        const to = { name: parseName(options) ?? workspace, is_default: isDefault };
        return [
          ...(isDefault ? unsetDefault(customer) : []),
          { change: 'workspace_added', customer: customer.slug, workspace, to },
        ];
      }),
    );

  workspaces
    .command('set <customer/workspace>')
    .description('rename a workspace or make it the default (OWNER_DATABASE_URL)')
    .option('--name <name>', 'display name')
    .option('--default', 'make it the workspace that new users join')
    .action((path: string, options: Options) =>
      changeTenants((current) => {
        const { customer, workspace } = requireWorkspace(current, path);
        const newName = parseName(options);
        const fields = {
          ...(newName !== undefined && { name: newName }),
          ...(options.default && { is_default: true }),
        };
        return diffFields<WorkspaceFields>(fields, workspace).flatMap((difference) => [
          ...('is_default' in difference.to ? unsetDefault(customer) : []),
          {
            change: 'workspace_changed',
            customer: customer.slug,
            workspace: workspace.slug,
            ...difference,
          },
        ]);
      }),
    );
}

function parseName(options: Options): string | undefined {
  return options.name === undefined ? undefined : parseArgument(name, options.name, 'the name');
}

/** Returns the changes that unset the current default workspace; a customer has one at most. */
function unsetDefault({ slug: customer, workspaces }: CurrentCustomer): Change[] {
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

import { OperationError } from '@gpu-observatory/service-runtime/process';
import type { Command } from 'commander';
import { printList } from '../operations/output.ts';
import {
  changeTenants,
  currentTenants,
  parseArgument,
  parseName,
  requireCustomer,
  requireWorkspace,
} from './change-tenants.ts';
import { diffWorkspaceFields, unsetDefault } from './tenants-diff.ts';
import { slug } from './tenants-file.ts';

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
    .option('--name <name>', 'display name', parseName)
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
        const to = { name: options.name ?? workspace, is_default: isDefault };
        return [
          ...(isDefault ? unsetDefault(customer.slug, customer.workspaces) : []),
          { change: 'workspace_added', customer: customer.slug, workspace, to },
        ];
      }),
    );

  workspaces
    .command('set <customer/workspace>')
    .description('rename a workspace or make it the default (OWNER_DATABASE_URL)')
    .option('--name <name>', 'display name', parseName)
    .option('--default', 'make it the workspace that new users join')
    .action((path: string, options: Options) =>
      changeTenants((current) => {
        const { customer, workspace } = requireWorkspace(current, path);
        const fields = {
          ...(options.name !== undefined && { name: options.name }),
          ...(options.default && { is_default: true }),
        };
        return diffWorkspaceFields(customer.slug, fields, workspace).flatMap((change) => [
          ...(change.to.is_default ? unsetDefault(customer.slug, customer.workspaces) : []),
          change,
        ]);
      }),
    );
}

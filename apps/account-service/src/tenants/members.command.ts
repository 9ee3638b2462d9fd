import { WORKSPACE_ROLES, type WorkspaceRole } from '@gpu-observatory/domain-types';
import { OperationError } from '@gpu-observatory/service-runtime/process';
import { Argument, type Command } from 'commander';
import { confirm } from '../operations/confirmation.ts';
import { printList } from '../operations/output.ts';
import { changeTenants, currentTenants, parseArgument, requireWorkspace } from './change-tenants.ts';
import { domainOf } from './email-address.ts';
import { hasUser } from './ownership-conflicts.ts';
import type { Change } from './tenants-diff.ts';
import type { CurrentCustomer } from './tenants.queries.ts';
import { email } from './tenants-file.ts';

interface Options {
  customer?: string;
}

/** Adds `members list|set|remove`. */
export function addMembersCommands(program: Command): void {
  const members = program
    .command('members')
    .description('members of workspaces and their roles: owner, member or viewer');

  members
    .command('list')
    .description('list all members and their roles (OWNER_DATABASE_URL)')
    .option('--customer <slug>', 'only of this customer')
    .action(async ({ customer }: Options) => {
      const rows = (await currentTenants(customer)).flatMap((each) =>
        each.workspaces.flatMap((workspace) =>
          workspace.members.map(({ email, role }) => ({
            ...{ customer: each.slug, workspace: workspace.slug, email, role },
          })),
        ),
      );
      printList('members', rows);
    });

  members
    .command('set')
    .argument('<customer/workspace>')
    .argument('<email>')
    .addArgument(new Argument('<role>').choices(WORKSPACE_ROLES))
    .description('set the role of a user, even before the first sign-in (OWNER_DATABASE_URL)')
    .action((path: string, text: string, role: WorkspaceRole) =>
      changeTenants((current) => {
        const { customer, workspace } = requireWorkspace(current, path);
        const address = parseArgument(email, text, 'the email address');
        const member = workspace.members.find((each) => each.email === address);
        if (member?.role === role) return [];
        const at = { customer: customer.slug, workspace: workspace.slug, email: address, role };
        return [
          ...addUserIfNew(current, customer, address),
          { change: member ? 'member_changed' : 'member_added', ...at },
        ];
      }),
    );

  members
    .command('remove <customer/workspace> <email>')
    .description(
      'remove a user from a workspace; existing tokens become invalid within 2 s (OWNER_DATABASE_URL)',
    )
    .action(async (path: string, text: string) => {
      const address = parseArgument(email, text, 'the email address');
      await confirm(`${address} will lose access to ${path}`);
      await changeTenants((current) => {
        const { customer, workspace } = requireWorkspace(current, path);
        if (!workspace.members.some((each) => each.email === address)) {
          throw new OperationError(`${address} is not a member of ${path}; "members list" shows all members`);
        }
        const at = { customer: customer.slug, workspace: workspace.slug, email: address, role: null };
        return [{ change: 'member_removed', ...at }];
      });
    });
}

/** Declares the user if they do not exist yet, provided that they could sign in. */
function addUserIfNew(
  current: CurrentCustomer[],
  { slug, domains }: CurrentCustomer,
  address: string,
): Change[] {
  if (hasUser(current, slug, address)) return [];
  if (domains.includes(domainOf(address))) {
    return [{ change: 'user_added', customer: slug, email: address }];
  }
  throw new OperationError(
    `the domain of ${address} does not belong to ${slug}, so the user could not sign in`,
  );
}

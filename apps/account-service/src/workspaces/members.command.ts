import { WORKSPACE_ROLES, type WorkspaceRole } from '@gpu-observatory/domain-types';
import { OperationError } from '@gpu-observatory/service-runtime';
import { Argument, type Command } from 'commander';
import { confirm, YES_OPTION } from '../operations/confirmation.ts';
import { JSON_OPTION, print } from '../operations/output.ts';
import { changeTenants, currentTenants, readArgument, requireWorkspace } from '../tenants/change-tenants.ts';
import type { Change } from '../tenants/difference.ts';
import type { CurrentCustomer } from '../tenants/tenants.queries.ts';
import { email } from '../tenants/tenants-file.ts';

interface Options {
  customer?: string;
  json?: boolean;
  yes?: boolean;
}

/** `members list|set|remove`: who is what in a workspace. */
export function addMembersCommands(program: Command): void {
  const members = program
    .command('members')
    .description('who belongs to a workspace, as owner, member or viewer');

  members
    .command('list')
    .description('every member and their role (OWNER_DATABASE_URL)')
    .option('--customer <slug>', 'of one customer alone')
    .option(...JSON_OPTION)
    .action(async ({ customer, ...options }: Options) => {
      const found = (await currentTenants(customer)).flatMap((each) =>
        each.workspaces.flatMap((workspace) =>
          workspace.members.map(({ email, role }) => ({
            ...{ customer: each.slug, workspace: workspace.slug, email, role },
          })),
        ),
      );
      const lines = found.map((each) => [`${each.customer}/${each.workspace}`, each.email, each.role]);
      print(options, { members: found }, lines);
    });

  members
    .command('set')
    .argument('<customer/workspace>')
    .argument('<email>')
    .addArgument(new Argument('<role>').choices(WORKSPACE_ROLES))
    .description('give somebody a role, also before they first sign in (OWNER_DATABASE_URL)')
    .option(...JSON_OPTION)
    .action((place: string, text: string, role: WorkspaceRole, options: Options) =>
      changeTenants(options, (current) => {
        const { customer, workspace } = requireWorkspace(current, place);
        const person = readArgument(email, text, 'the e-mail address');
        const member = workspace.members.find((each) => each.email === person);
        if (member?.role === role) return [];
        const at = { customer: customer.slug, workspace: workspace.slug, email: person, role };
        return [
          ...newcomer(current, customer, person),
          { change: member ? 'member_changed' : 'member_added', ...at },
        ];
      }),
    );

  members
    .command('remove <customer/workspace> <email>')
    .description('take somebody out of a workspace; what they hold stops within 2 s (OWNER_DATABASE_URL)')
    .option(...YES_OPTION)
    .option(...JSON_OPTION)
    .action(async (place: string, text: string, options: Options) => {
      const person = readArgument(email, text, 'the e-mail address');
      await confirm(`${person} will see nothing of ${place} any more`, options);
      await changeTenants(options, (current) => {
        const { customer, workspace } = requireWorkspace(current, place);
        if (!workspace.members.some((each) => each.email === person)) {
          throw new OperationError(`${person} is no member of ${place}; members list shows those there are`);
        }
        const at = { customer: customer.slug, workspace: workspace.slug, email: person, role: null };
        return [{ change: 'member_removed', ...at }];
      });
    });
}

/** Somebody who never signed in becomes a user first, if they could ever sign in. */
function newcomer(current: CurrentCustomer[], { slug, domains }: CurrentCustomer, person: string): Change[] {
  const home = current.find(({ users }) => users.some((user) => user.email === person));
  if (home?.slug === slug) return [];
  if (home) throw new OperationError(`${person} is a user of ${home.slug}, and cannot be one of ${slug} too`);
  if (domains.includes(person.slice(person.lastIndexOf('@') + 1))) {
    return [{ change: 'user_added', customer: slug, email: person }];
  }
  throw new OperationError(
    `${person} is not of a domain of ${slug}, so nobody could sign in with that address`,
  );
}

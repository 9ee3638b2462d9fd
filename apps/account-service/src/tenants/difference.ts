import type { WorkspaceRole } from '@gpu-observatory/domain-types';
import { peopleOf, refuseForeignDomains, refuseForeignPeople } from './foreign-claims.ts';
import type { DeclaredCustomer, DeclaredTenants } from './tenants-file.ts';
import type { CurrentCustomer, CurrentWorkspace } from './tenants.queries.ts';

/** What a customer or a workspace is, apart from what belongs to it. */
export interface CustomerFields {
  name: string;
  active: boolean;
  default_role: 'member' | 'viewer';
  providers: string[] | null;
}

export interface WorkspaceFields {
  name: string;
  is_default: boolean;
}

/** One step from the current state to the declared one. */
export type Change =
  | {
      change: 'customer_added' | 'customer_changed';
      customer: string;
      to: Partial<CustomerFields>;
      from?: object;
    }
  | { change: 'domain_added' | 'domain_removed'; customer: string; domain: string }
  | {
      change: 'workspace_added' | 'workspace_changed';
      customer: string;
      workspace: string;
      to: Partial<WorkspaceFields>;
      from?: object;
    }
  | { change: 'user_added'; customer: string; email: string }
  | { change: 'administrator_added' | 'administrator_removed'; customer: string; email: string }
  | {
      change: 'member_added' | 'member_changed' | 'member_removed';
      customer: string;
      workspace: string;
      email: string;
      role: WorkspaceRole | null;
    };

/**
 * What has to change. What the file does not name stays: other customers, workspaces (their data refers to them), and
 * people who came by themselves with the roles they got then. What an earlier file declared and this one does not is
 * taken away.
 *
 * @returns in an order in which the steps can be taken; removals of domains and defaults come before additions
 * @throws {OperationError} when it names a user or a domain of another customer
 */
export function difference(declared: DeclaredTenants, current: readonly CurrentCustomer[]): Change[] {
  refuseForeignPeople(declared, current);
  refuseForeignDomains(declared, current);
  const changes = declared.customers.flatMap((customer) =>
    differenceOf(
      customer,
      current.find(({ slug }) => slug === customer.slug),
    ),
  );
  return [...changes.filter(isFreed), ...changes.filter((change) => !isFreed(change))];
}

/** Gives something up that another change may need: a domain that moves, the one default workspace. */
function isFreed(change: Change): boolean {
  return (
    change.change === 'domain_removed' ||
    (change.change === 'workspace_changed' && change.to.is_default === false)
  );
}

function differenceOf(declared: DeclaredCustomer, current: CurrentCustomer | undefined): Change[] {
  const customer = declared.slug;
  const known = new Set(current?.users.map(({ email }) => email));
  return [
    ...customerChanges(declared, current),
    ...peopleOf(declared)
      .filter((email) => !known.has(email))
      .map((email): Change => ({ change: 'user_added', customer, email })),
    ...administratorChanges(declared, current),
    ...declared.workspaces.flatMap((workspace) =>
      workspaceChanges(
        customer,
        workspace,
        current?.workspaces.find(({ slug }) => slug === workspace.slug),
      ),
    ),
    ...forsakenDefault(declared, current),
  ];
}

function customerChanges(declared: DeclaredCustomer, current: CurrentCustomer | undefined): Change[] {
  const customer = declared.slug;
  const fields: CustomerFields = {
    name: declared.name,
    active: declared.active,
    default_role: declared.default_role,
    providers: declared.providers ? [...new Set(declared.providers)].sort() : null,
  };
  const own: Change[] = current
    ? changed(fields, current).map(({ from, to }) => ({ change: 'customer_changed', customer, from, to }))
    : [{ change: 'customer_added', customer, to: fields }];
  const before = current?.domains ?? [];
  return [
    ...own,
    ...before
      .filter((domain) => !declared.domains.includes(domain))
      .map((domain): Change => ({ change: 'domain_removed', customer, domain })),
    ...declared.domains
      .filter((domain) => !before.includes(domain))
      .map((domain): Change => ({ change: 'domain_added', customer, domain })),
  ];
}

function administratorChanges(declared: DeclaredCustomer, current: CurrentCustomer | undefined): Change[] {
  const customer = declared.slug;
  const users = current?.users ?? [];
  const isDeclared = (email: string) =>
    users.some((user) => user.email === email && user.administrator_declared);
  return [
    ...declared.administrators
      .filter((email) => !isDeclared(email))
      .map((email): Change => ({ change: 'administrator_added', customer, email })),
    ...users
      .filter((user) => user.administrator_declared && !declared.administrators.includes(user.email))
      .map(({ email }): Change => ({ change: 'administrator_removed', customer, email })),
  ];
}

function workspaceChanges(
  customer: string,
  declared: DeclaredCustomer['workspaces'][number],
  current: CurrentWorkspace | undefined,
): Change[] {
  const workspace = declared.slug;
  const fields: WorkspaceFields = { name: declared.name, is_default: declared.default };
  const own: Change[] = current
    ? changed(fields, current).map(({ from, to }) => ({
        change: 'workspace_changed',
        customer,
        workspace,
        from,
        to,
      }))
    : [{ change: 'workspace_added', customer, workspace, to: fields }];
  const before = current?.members ?? [];
  const added = Object.entries(declared.members).flatMap(([email, role]): Change[] => {
    const member = before.find((each) => each.email === email);
    if (member?.declared && member.role === role) return [];
    return [{ change: member ? 'member_changed' : 'member_added', customer, workspace, email, role }];
  });
  const removed = before
    .filter((member) => member.declared && !(member.email in declared.members))
    .map(({ email }): Change => ({ change: 'member_removed', customer, workspace, email, role: null }));
  return [...own, ...added, ...removed];
}

/** A workspace that the file no longer names cannot stay the default beside the one that it does. */
function forsakenDefault(declared: DeclaredCustomer, current: CurrentCustomer | undefined): Change[] {
  return (current?.workspaces ?? [])
    .filter(({ slug, is_default }) => is_default && !declared.workspaces.some((each) => each.slug === slug))
    .map(({ slug }) => ({
      change: 'workspace_changed',
      customer: declared.slug,
      workspace: slug,
      from: { is_default: true },
      to: { is_default: false },
    }));
}

/** One entry a field that differs. */
function changed<Fields extends object>(to: Fields, from: Fields): { from: object; to: Partial<Fields> }[] {
  return (Object.keys(to) as (keyof Fields)[])
    .filter((field) => JSON.stringify(sorted(to[field])) !== JSON.stringify(sorted(from[field])))
    .map((field) => ({
      from: { [field]: from[field] },
      to: { [field]: to[field] } as unknown as Partial<Fields>,
    }));
}

function sorted(value: unknown): unknown {
  return Array.isArray(value) ? [...value].sort() : value;
}

import type { WorkspaceRole } from '@gpu-observatory/domain-types';
import type { Workspace } from '../workspaces/workspace.entity.ts';
import { type Customer, DEFAULT_ROLE } from './customer.entity.ts';
import { rejectDomainConflicts, rejectUserConflicts } from './ownership-conflicts.ts';
import { type DeclaredCustomer, declaredEmails, type DeclaredTenants } from './tenants-file.ts';
import type { CurrentCustomer, CurrentWorkspace } from './tenants.queries.ts';

/** Fields of a customer, without its domains, users and workspaces. */
export type CustomerFields = Omit<Customer, 'id' | 'slug' | 'created_at'>;

/** Returns the fields of a customer that declares only its name. */
export function newCustomer(name: string): CustomerFields {
  return {
    name,
    active: true,
    default_role: DEFAULT_ROLE,
    max_key_days: null,
    sign_in_methods: null,
    google_workspace_required: false,
  };
}

type WorkspaceFields = Pick<Workspace, 'name' | 'is_default'>;

/** Change from the current to the declared state. */
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
 * Returns the changes from the current to the declared state. Anything the file does not declare stays: other
 * customers, workspaces (data refers to them), and users who signed in on their own with their roles. What an earlier
 * file or command declared and this file omits is removed.
 *
 * @returns changes in an applicable order: removals of domains and defaults come before additions
 * @throws {OperationError} when the file declares a user or domain of another customer
 */
export function diffTenants(declared: DeclaredTenants, current: readonly CurrentCustomer[]): Change[] {
  rejectUserConflicts(declared, current);
  rejectDomainConflicts(declared, current);
  const changes = declared.customers.flatMap((customer) =>
    diffCustomer(
      customer,
      current.find(({ slug }) => slug === customer.slug),
    ),
  );
  return [...changes.filter(isFreeing), ...changes.filter((change) => !isFreeing(change))];
}

/**
 * Returns whether the change frees what another change may need: a domain that moves, or the single default workspace.
 */
function isFreeing(change: Change): boolean {
  return (
    change.change === 'domain_removed' ||
    (change.change === 'workspace_changed' && change.to.is_default === false)
  );
}

function diffCustomer(declared: DeclaredCustomer, current: CurrentCustomer | undefined): Change[] {
  const customer = declared.slug;
  const existing = new Set(current?.users.map(({ email }) => email));
  return [
    ...diffFieldsAndDomains(declared, current),
    ...declaredEmails(declared)
      .filter((email) => !existing.has(email))
      .map((email): Change => ({ change: 'user_added', customer, email })),
    ...diffAdministrators(declared, current),
    ...declared.workspaces.flatMap((workspace) =>
      diffWorkspace(
        customer,
        workspace,
        current?.workspaces.find(({ slug }) => slug === workspace.slug),
      ),
    ),
    ...unsetUndeclaredDefault(declared, current),
  ];
}

function diffFieldsAndDomains(declared: DeclaredCustomer, current: CurrentCustomer | undefined): Change[] {
  const customer = declared.slug;
  const fields: CustomerFields = {
    name: declared.name,
    active: declared.active,
    default_role: declared.default_role,
    max_key_days: declared.max_key_days ?? null,
    sign_in_methods: declared.sign_in_methods ? [...new Set(declared.sign_in_methods)].sort() : null,
    google_workspace_required: declared.google_workspace_required,
  };
  const own: Change[] = current
    ? diffCustomerFields(fields, current)
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

function diffAdministrators(declared: DeclaredCustomer, current: CurrentCustomer | undefined): Change[] {
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

function diffWorkspace(
  customer: string,
  declared: DeclaredCustomer['workspaces'][number],
  current: CurrentWorkspace | undefined,
): Change[] {
  const workspace = declared.slug;
  const fields: WorkspaceFields = { name: declared.name, is_default: declared.default };
  const own: Change[] = current
    ? diffWorkspaceFields(customer, fields, current)
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

/** Unsets a default workspace that the file omits, since the file declares another default. */
function unsetUndeclaredDefault(declared: DeclaredCustomer, current: CurrentCustomer | undefined): Change[] {
  const isUndeclared = ({ slug }: CurrentWorkspace) =>
    !declared.workspaces.some((each) => each.slug === slug);
  return unsetDefault(declared.slug, current?.workspaces.filter(isUndeclared) ?? []);
}

/** Returns the changes that unset the default among the workspaces of a customer, which has one at most. */
export function unsetDefault(customer: string, workspaces: readonly CurrentWorkspace[]): Change[] {
  return workspaces
    .filter(({ is_default }) => is_default)
    .flatMap((workspace) => diffWorkspaceFields(customer, { is_default: false }, workspace));
}

/** Returns one change per given field that differs. */
export function diffCustomerFields(fields: Partial<CustomerFields>, current: CurrentCustomer): Change[] {
  return diffFields<CustomerFields>(fields, current).map((difference) => ({
    change: 'customer_changed',
    customer: current.slug,
    ...difference,
  }));
}

/** Returns one change per given field that differs. */
export function diffWorkspaceFields(
  customer: string,
  fields: Partial<WorkspaceFields>,
  current: CurrentWorkspace,
): (Change & { to: Partial<WorkspaceFields> })[] {
  return diffFields<WorkspaceFields>(fields, current).map((difference) => ({
    change: 'workspace_changed',
    customer,
    workspace: current.slug,
    ...difference,
  }));
}

function diffFields<Fields extends object>(
  to: Partial<Fields>,
  from: Fields,
): { from: object; to: Partial<Fields> }[] {
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

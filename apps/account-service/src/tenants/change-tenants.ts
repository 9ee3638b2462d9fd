import { OperationError, type Queryable } from '@gpu-observatory/service-runtime/process';
import type { z } from 'zod';
import { print } from '../operations/output.ts';
import { asOperator } from '../operations/as-operator.ts';
import type { Actor } from '../audit/audit.ts';
import { applyChanges } from './apply-changes.ts';
import { describeChanges } from './describe-change.ts';
import { planAdministrator } from './plan-administrator.ts';
import type { Change } from './tenants-diff.ts';
import { name, slug } from './tenants-file.ts';
import { type CurrentCustomer, type CurrentWorkspace, lockTenants, readTenants } from './tenants.queries.ts';

/**
 * Applies the changes of a command like `tenants apply`: under the same lock, with audit events and revocations.
 *
 * @param plan returns the changes from the current state, or none when it is already as requested
 * @throws {OperationError} from `plan`
 */
export async function changeTenants(plan: (current: CurrentCustomer[]) => Change[]): Promise<void> {
  await asOperator(async ({ database, actor }) => {
    const changes = await database.transaction(async (transaction) => {
      await lockTenants(transaction);
      const planned = plan(await readTenants(transaction));
      await applyChanges(transaction, planned, actor);
      return planned;
    });
    print({ changes }, describeChanges(changes));
  });
}

/**
 * Adds a new administrator, with the parts that are missing to sign in: customer, domain, workspace, user and role. It only
 * adds, so it writes no revocations, and further statements of the transaction may follow.
 *
 * @param requested slug of the customer
 * @returns no changes when the user exists
 * @throws {OperationError} when the domain belongs to another customer, or the customer exists without it
 */
export async function addAdministrator(
  transaction: Queryable,
  actor: Actor,
  email: string,
  requested?: string,
): Promise<{ changes: Change[]; lines: string[] }> {
  const customer = requested === undefined ? undefined : parseArgument(slug, requested, '--customer');
  await lockTenants(transaction);
  const changes = planAdministrator(await readTenants(transaction), email, customer);
  await applyChanges(transaction, changes, actor);
  return { changes, lines: describeChanges(changes) };
}

/** Returns all customers, or the one with this slug. */
export async function currentTenants(customer?: string): Promise<CurrentCustomer[]> {
  return asOperator(async ({ database }) => {
    const all = await readTenants(database);
    return customer === undefined ? all : [requireCustomer(all, customer)];
  });
}

/** @throws {OperationError} for an invalid argument */
export function parseArgument<Value>(schema: z.ZodType<Value>, text: string, label: string): Value {
  const result = schema.safeParse(text);
  if (result.success) return result.data;
  const faults = result.error.issues.map(({ message }) => message).join('; ');
  throw new OperationError(`${label} "${text}" is not valid: ${faults}`);
}

/** Parses the value of the option `--name`. */
export const parseName = (text: string) => parseArgument(name, text, 'the name');

export function requireCustomer(current: CurrentCustomer[], slug: string): CurrentCustomer {
  const customer = current.find((each) => each.slug === slug);
  if (!customer)
    throw new OperationError(`customer ${slug} does not exist; "customers list" shows all customers`);
  return customer;
}

/** @throws {OperationError} for a slug of no customer */
export async function requireKnownCustomer(queryable: Queryable, slug: string | undefined): Promise<void> {
  if (slug !== undefined) requireCustomer(await readTenants(queryable), slug);
}

/** @param path `customer/workspace` */
export function requireWorkspace(
  current: CurrentCustomer[],
  path: string,
): { customer: CurrentCustomer; workspace: CurrentWorkspace } {
  const [, customerSlug, workspaceSlug] = /^([^/]+)\/([^/]+)$/.exec(path) ?? [];
  if (customerSlug === undefined) {
    throw new OperationError(
      `a workspace must be given as customer/workspace, such as acme/research, got "${path}"`,
    );
  }
  const customer = requireCustomer(current, customerSlug);
  const workspace = customer.workspaces.find(({ slug }) => slug === workspaceSlug);
  if (workspace) return { customer, workspace };
  throw new OperationError(`workspace ${path} does not exist; "workspaces list" shows all workspaces`);
}

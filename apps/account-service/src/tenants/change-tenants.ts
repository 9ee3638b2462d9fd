import { OperationError, type Queryable } from '@gpu-observatory/service-runtime';
import type { z } from 'zod';
import { print } from '../operations/output.ts';
import { withOwnerDatabase } from '../operations/owner-database.ts';
import { applyChanges } from './apply-changes.ts';
import { describeChanges } from './describe-change.ts';
import type { Change } from './difference.ts';
import { type CurrentCustomer, type CurrentWorkspace, lockTenants, readTenants } from './tenants.queries.ts';

/**
 * Takes single steps as `tenants apply` takes many: under the same lock, each with its audit row and its revocations.
 *
 * @param plan the steps, from what is there now; none when it is so already
 * @throws {OperationError} from `plan`
 */
export async function changeTenants(
  options: { json?: boolean },
  plan: (current: CurrentCustomer[]) => Change[],
): Promise<void> {
  await withOwnerDatabase(async ({ database, actor }) => {
    const changes = await database.transaction(async (transaction) => {
      await lockTenants(transaction);
      const steps = plan(await readTenants(transaction));
      await applyChanges(transaction, steps, actor);
      return steps;
    });
    print(options, { changes }, describeChanges(changes));
  });
}

/** Every customer, or one of them. */
export async function currentTenants(customer?: string): Promise<CurrentCustomer[]> {
  return withOwnerDatabase(async ({ database }) => {
    const all = await readTenants(database);
    return customer === undefined ? all : [requireCustomer(all, customer)];
  });
}

/** @throws {OperationError} saying what is wrong with an argument */
export function readArgument<Value>(kind: z.ZodType<Value>, text: string, what: string): Value {
  const read = kind.safeParse(text);
  if (read.success) return read.data;
  const faults = read.error.issues.map(({ message }) => message).join('; ');
  throw new OperationError(`${what} "${text}" is not valid: ${faults}`);
}

export function requireCustomer(current: CurrentCustomer[], slug: string): CurrentCustomer {
  const customer = current.find((each) => each.slug === slug);
  if (!customer)
    throw new OperationError(`there is no customer ${slug}; customers list shows those there are`);
  return customer;
}

/** @throws {OperationError} when a slug is given that no customer has */
export async function refuseUnknownCustomer(queryable: Queryable, slug: string | undefined): Promise<void> {
  if (slug !== undefined) requireCustomer(await readTenants(queryable), slug);
}

/** @param place as `customer/workspace` */
export function requireWorkspace(
  current: CurrentCustomer[],
  place: string,
): { customer: CurrentCustomer; workspace: CurrentWorkspace } {
  const [, customerSlug, workspaceSlug] = /^([^/]+)\/([^/]+)$/.exec(place) ?? [];
  if (customerSlug === undefined) {
    throw new OperationError(
      `there is no workspace ${place}: give customer/workspace, such as acme/research`,
    );
  }
  const customer = requireCustomer(current, customerSlug);
  const workspace = customer.workspaces.find(({ slug }) => slug === workspaceSlug);
  if (workspace) return { customer, workspace };
  throw new OperationError(`there is no workspace ${place}; workspaces list shows those there are`);
}

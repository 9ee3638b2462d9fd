import { OperationError } from '@gpu-observatory/service-runtime/process';
import { type Change, newCustomer } from './tenants-diff.ts';
import type { CurrentCustomer } from './tenants.queries.ts';

/**
 * Returns the missing parts of an administrator who can sign in: customer, domain, workspace, user and role.
 *
 * @param requested slug of the customer. Default: the owner of the user or domain, else the first label of the domain
 * @throws {OperationError} when the user or domain belongs to another customer
 */
export function planAdministrator(
  current: readonly CurrentCustomer[],
  email: string,
  requested?: string,
): Change[] {
  const domain = email.slice(email.lastIndexOf('@') + 1);
  const user = current.flatMap(({ users }) => users).find((each) => each.email === email);
  const owners = current.filter(
    ({ users, domains }) => domains.includes(domain) || users.some((each) => each.email === email),
  );
  const customer = requested ?? owners[0]?.slug ?? domain.replace(/\..*$/, '');
  const other = owners.find(({ slug }) => slug !== customer);
  if (other) {
    throw new OperationError(
      `${email} or its domain belongs to customer ${other.slug} and cannot also belong to ${customer}`,
    );
  }
  const existing = current.find(({ slug }) => slug === customer);
  if (existing?.providers && !existing.providers.includes('password')) {
    throw new OperationError(
      `customer ${customer} does not allow passwords; run "customers set ${customer} --providers all" first`,
    );
  }
  const changes: Change[] = [];
  if (!existing) changes.push({ change: 'customer_added', customer, to: newCustomer(customer) });
  if (!existing?.domains.includes(domain)) changes.push({ change: 'domain_added', customer, domain });
  if (!existing?.workspaces.length) {
    const to = { name: 'Default', is_default: true };
    changes.push({ change: 'workspace_added', customer, workspace: 'default', to });
  }
  if (!user) changes.push({ change: 'user_added', customer, email });
  if (!user?.administrator) changes.push({ change: 'administrator_added', customer, email });
  return changes;
}

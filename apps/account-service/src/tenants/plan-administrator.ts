import { OperationError } from '@gpu-observatory/service-runtime/process';
import { domainOf } from './email-address.ts';
import { ownerOfDomain, ownerOfUser } from './ownership-conflicts.ts';
import { type Change, type CustomerFields, newCustomer } from './tenants-diff.ts';
import type { CurrentCustomer } from './tenants.queries.ts';

/**
 * Returns the missing parts of a new administrator who can sign in: customer, domain, workspace, user and role. A new customer
 * allows only passwords, because its domain would otherwise admit every account of the domain at a provider.
 *
 * @param requested slug of the customer. Default: the owner of the domain, else the first label of the domain
 * @returns nothing for an existing user, whose access may have been revoked
 * @throws {OperationError} when the domain belongs to another customer, or the customer exists without it
 */
export function planAdministrator(
  current: readonly CurrentCustomer[],
  email: string,
  requested?: string,
): Change[] {
  const domain = domainOf(email);
  if (ownerOfUser(current, email)) return [];
  const owner = ownerOfDomain(current, domain);
  const customer = requested ?? owner?.slug ?? domain.replace(/\..*$/, '');
  if (owner && owner.slug !== customer) {
    throw new OperationError(
      `domain ${domain} belongs to customer ${owner.slug} and cannot also belong to ${customer}`,
    );
  }
  const existing = current.find(({ slug }) => slug === customer);
  if (existing && !owner) {
    throw new OperationError(
      `customer ${customer} exists without the domain ${domain}; to admit all users of the domain, run "domains add ${customer} ${domain}" first`,
    );
  }
  if (existing?.sign_in_methods && !existing.sign_in_methods.includes('password')) {
    throw new OperationError(
      `customer ${customer} does not allow passwords; run "customers set ${customer} --sign-in-methods all" first`,
    );
  }
  const changes: Change[] = [];
  if (!existing) {
    const to: CustomerFields = { ...newCustomer(customer), sign_in_methods: ['password'] };
    changes.push({ change: 'customer_added', customer, to }, { change: 'domain_added', customer, domain });
  }
  if (!existing?.workspaces.length) {
    const to = { name: 'Default', is_default: true };
    changes.push({ change: 'workspace_added', customer, workspace: 'default', to });
  }
  return [
    ...changes,
    { change: 'user_added', customer, email },
    { change: 'administrator_added', customer, email },
  ];
}

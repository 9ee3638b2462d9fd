import { OperationError } from '@gpu-observatory/service-runtime/process';
import { declaredEmails, type DeclaredTenants } from './tenants-file.ts';
import type { CurrentCustomer } from './tenants.queries.ts';

export const ownerOfUser = (current: readonly CurrentCustomer[], address: string) =>
  current.find(({ users }) => users.some(({ email }) => email === address));

export const ownerOfDomain = (current: readonly CurrentCustomer[], domain: string) =>
  current.find(({ domains }) => domains.includes(domain));

/**
 * Returns whether a customer has a user. A domain can move to another customer, but its existing users do not move with it.
 *
 * @throws {OperationError} when the user belongs to another customer
 */
export function hasUser(current: readonly CurrentCustomer[], slug: string, address: string): boolean {
  const owner = ownerOfUser(current, address);
  if (owner && owner.slug !== slug) {
    throw new OperationError(
      `${address} belongs to customer ${owner.slug} and cannot also belong to ${slug}`,
    );
  }
  return owner !== undefined;
}

/** Rejects users of another customer. */
export function rejectUserConflicts(declared: DeclaredTenants, current: readonly CurrentCustomer[]): void {
  for (const customer of declared.customers) {
    for (const address of declaredEmails(customer)) hasUser(current, customer.slug, address);
  }
}

/** Rejects domains of another customer, unless the file also declares that customer without the domain. */
export function rejectDomainConflicts(declared: DeclaredTenants, current: readonly CurrentCustomer[]): void {
  for (const customer of declared.customers) {
    for (const domain of customer.domains) {
      const owner = ownerOfDomain(current, domain);
      if (!owner || owner.slug === customer.slug) continue;
      if (declared.customers.some(({ slug }) => slug === owner.slug)) continue;
      throw new OperationError(
        `${domain} belongs to ${owner.slug}; to move it, declare ${owner.slug} without it in the same file`,
      );
    }
  }
}

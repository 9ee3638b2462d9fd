import { OperationError } from '@gpu-observatory/service-runtime/process';
import type { DeclaredCustomer, DeclaredTenants } from './tenants-file.ts';
import type { CurrentCustomer } from './tenants.queries.ts';

/**
 * Rejects users of another customer. A domain can move to another customer, but its existing users do not move with it.
 */
export function rejectUserConflicts(declared: DeclaredTenants, current: readonly CurrentCustomer[]): void {
  for (const customer of declared.customers) {
    for (const address of declaredEmails(customer)) {
      const owner = current.find(({ users }) => users.some(({ email }) => email === address));
      if (owner && owner.slug !== customer.slug) {
        throw new OperationError(
          `${address} belongs to customer ${owner.slug} and cannot also belong to ${customer.slug}`,
        );
      }
    }
  }
}

/** Rejects domains of another customer, unless the file also declares that customer without the domain. */
export function rejectDomainConflicts(declared: DeclaredTenants, current: readonly CurrentCustomer[]): void {
  for (const customer of declared.customers) {
    for (const domain of customer.domains) {
      const owner = current.find(({ domains }) => domains.includes(domain));
      if (!owner || owner.slug === customer.slug) continue;
      if (declared.customers.some(({ slug }) => slug === owner.slug)) continue;
      throw new OperationError(
        `${domain} belongs to ${owner.slug}; to move it, declare ${owner.slug} without it in the same file`,
      );
    }
  }
}

/** Returns the email addresses that the file declares for a customer. */
export function declaredEmails({ administrators, workspaces }: DeclaredCustomer): string[] {
  return [...new Set([...administrators, ...workspaces.flatMap(({ members }) => Object.keys(members))])];
}

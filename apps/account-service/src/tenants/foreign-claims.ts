import { OperationError } from '@gpu-observatory/service-runtime';
import type { DeclaredCustomer, DeclaredTenants } from './tenants-file.ts';
import type { CurrentCustomer } from './tenants.queries.ts';

/** A domain may pass to another customer, but its old customer's users do not pass with it. */
export function refuseForeignPeople(declared: DeclaredTenants, current: readonly CurrentCustomer[]): void {
  for (const customer of declared.customers) {
    for (const person of peopleOf(customer)) {
      const home = current.find(({ users }) => users.some(({ email }) => email === person));
      if (home && home.slug !== customer.slug) {
        throw new OperationError(
          `${person} is a user of ${home.slug}, and cannot be one of ${customer.slug} too`,
        );
      }
    }
  }
}

/** A domain moves only where the file says so on both sides. */
export function refuseForeignDomains(declared: DeclaredTenants, current: readonly CurrentCustomer[]): void {
  for (const customer of declared.customers) {
    for (const domain of customer.domains) {
      const owner = current.find(({ domains }) => domains.includes(domain));
      if (!owner || owner.slug === customer.slug) continue;
      if (declared.customers.some(({ slug }) => slug === owner.slug)) continue;
      throw new OperationError(
        `${domain} belongs to ${owner.slug}; declare ${owner.slug} without it in the same file to move it`,
      );
    }
  }
}

/** Everybody the file names at a customer. */
export function peopleOf({ administrators, workspaces }: DeclaredCustomer): string[] {
  return [...new Set([...administrators, ...workspaces.flatMap(({ members }) => Object.keys(members))])];
}

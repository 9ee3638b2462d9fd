import type { Queryable } from '@gpu-observatory/service-runtime/process';

/** Role of new users in the default workspace; `none` adds them to no workspace. */
export const DEFAULT_ROLES = ['member', 'viewer', 'none'] as const;
export type DefaultRole = (typeof DEFAULT_ROLES)[number];

export interface CustomerRow {
  id: number;
  active: boolean;
  default_role: DefaultRole;
  /** Allowed sign-in methods; null for all. */
  providers: string[] | null;
  /** Whether an account at Google must belong to the Workspace of the email domain. */
  google_workspace_required: boolean;
}

/** Returns the customer of an email domain. Subdomains do not match. */
export async function findCustomerByDomain(
  queryable: Queryable,
  domain: string,
): Promise<CustomerRow | undefined> {
  const [customer] = await queryable.query<CustomerRow>({
    name: 'find-customer-by-domain',
    text: `SELECT customers.id, customers.active, customers.default_role, customers.providers,
                  customers.google_workspace_required
             FROM account.customer_domains
             JOIN account.customers ON customers.id = customer_domains.customer_id
            WHERE customer_domains.domain = $1`,
    values: [domain],
  });
  return customer;
}

import type { Queryable } from '@gpu-observatory/service-runtime';

export interface CustomerRow {
  id: number;
  active: boolean;
  default_role: 'member' | 'viewer';
  /** Allowed sign-in methods; null for all. */
  providers: string[] | null;
}

/** Returns the customer of an email domain. Subdomains do not match. */
export async function findCustomerByDomain(
  queryable: Queryable,
  domain: string,
): Promise<CustomerRow | undefined> {
  const [customer] = await queryable.query<CustomerRow>({
    name: 'find-customer-by-domain',
    text: `SELECT customers.id, customers.active, customers.default_role, customers.providers
             FROM account.customer_domains
             JOIN account.customers ON customers.id = customer_domains.customer_id
            WHERE customer_domains.domain = $1`,
    values: [domain],
  });
  return customer;
}

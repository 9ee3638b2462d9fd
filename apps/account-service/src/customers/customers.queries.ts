import type { Queryable } from '@gpu-observatory/service-runtime';

export interface CustomerRow {
  id: number;
  active: boolean;
  default_role: 'member' | 'viewer';
  /** The sign-in methods its people may use; null for all. */
  providers: string[] | null;
}

/** The customer that an e-mail domain belongs to; exactly this domain, a subdomain is another one. */
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

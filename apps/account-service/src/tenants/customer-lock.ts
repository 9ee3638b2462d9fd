import type { Queryable } from '@gpu-observatory/service-runtime/process';

/** Class id of these advisory locks: "cust" in ASCII. */
const LOCK_CLASS = 0x63757374;
const LOCK = { shared: 'pg_advisory_xact_lock_shared', exclusive: 'pg_advisory_xact_lock' } as const;

/**
 * Locks the users of a customer until the transaction ends. Changes of users (first sign-in, disabling, the tenants
 * file) take it `exclusive`; issuing a token takes it `shared`. So a token is issued either before a change and revoked
 * by it, or after it from the new state. It is an advisory lock because locking the row would need the UPDATE
 * privilege.
 */
export async function lockCustomer(
  transaction: Queryable,
  customerId: number,
  mode: 'shared' | 'exclusive',
): Promise<void> {
  await transaction.query({
    text: `SELECT ${LOCK[mode]}($1, $2)`,
    values: [LOCK_CLASS, customerId],
  });
}

/**
 * Takes the lock for the customer of an email domain.
 *
 * @returns the id of the customer; undefined when no customer has the domain
 */
export async function lockCustomerOfDomain(
  transaction: Queryable,
  domain: string,
  mode: 'shared' | 'exclusive',
): Promise<number | undefined> {
  const [customer] = await transaction.query<{ customer_id: number }>({
    name: `lock-customer-of-domain-${mode}`,
    text: `SELECT customer_id, ${LOCK[mode]}($1, customer_id) FROM account.customer_domains WHERE domain = $2`,
    values: [LOCK_CLASS, domain],
  });
  return customer?.customer_id;
}

/** Takes the lock `shared` for the customer of a user. Does nothing when the user does not exist. */
export async function lockCustomerOfUser(transaction: Queryable, userId: number): Promise<void> {
  await transaction.query({
    name: 'lock-customer-of-user',
    text: `SELECT ${LOCK.shared}($1, customer_id) FROM account.users WHERE id = $2`,
    values: [LOCK_CLASS, userId],
  });
}

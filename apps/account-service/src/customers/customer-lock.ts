import type { Queryable } from '@gpu-observatory/service-runtime';

/** Tells our advisory locks from others' on the same server: "cust" in ASCII. */
const LOCK_CLASS = 0x63757374;

/**
 * Holds a customer's people still until the transaction ends. Whoever changes them (first sign-in, disabling, the
 * tenants file) takes it `exclusive`; whoever issues a token from what they are takes it `shared`. So a token is either
 * issued before a change, and revoked by it, or after it, from the new state: never in between. An advisory lock, since
 * locking the row itself would take the right to change it.
 */
export async function lockCustomer(
  transaction: Queryable,
  customerId: number,
  mode: 'shared' | 'exclusive',
): Promise<void> {
  await transaction.query({
    text:
      mode === 'shared'
        ? 'SELECT pg_advisory_xact_lock_shared($1, $2)'
        : 'SELECT pg_advisory_xact_lock($1, $2)',
    values: [LOCK_CLASS, customerId],
  });
}

/** The same, shared, for the customer of a user; nothing for a user who is not there. */
export async function lockCustomerOfUser(transaction: Queryable, userId: number): Promise<void> {
  await transaction.query({
    name: 'lock-customer-of-user',
    text: 'SELECT pg_advisory_xact_lock_shared($1, customer_id) FROM account.users WHERE id = $2',
    values: [LOCK_CLASS, userId],
  });
}

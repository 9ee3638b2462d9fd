import type { Queryable } from '@gpu-observatory/service-runtime/process';

/** Class id of these advisory locks: "cust" in ASCII. */
const LOCK_CLASS = 0x63757374;

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
    text:
      mode === 'shared'
        ? 'SELECT pg_advisory_xact_lock_shared($1, $2)'
        : 'SELECT pg_advisory_xact_lock($1, $2)',
    values: [LOCK_CLASS, customerId],
  });
}

/** Takes the lock `shared` for the customer of a user. Does nothing when the user does not exist. */
export async function lockCustomerOfUser(transaction: Queryable, userId: number): Promise<void> {
  await transaction.query({
    name: 'lock-customer-of-user',
    text: 'SELECT pg_advisory_xact_lock_shared($1, customer_id) FROM account.users WHERE id = $2',
    values: [LOCK_CLASS, userId],
  });
}

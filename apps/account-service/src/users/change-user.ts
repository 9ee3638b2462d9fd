import { OperationError, type Queryable } from '@gpu-observatory/service-runtime/process';
import { audit } from '../audit/audit.ts';
import { lockCustomer } from '../tenants/customer-lock.ts';
import { parseEmailAddress } from '../tenants/email-address.ts';
import { print } from '../operations/output.ts';
import { asOperator } from '../operations/as-operator.ts';
import { repository } from '../database/repositories.ts';
import { User } from './user.entity.ts';

/**
 * Changes a user as an operator, under the customer lock, with an audit event.
 *
 * @throws {OperationError} when the user does not exist
 */
export async function changeUser(
  text: string,
  action: string,
  change: (transaction: Queryable, user: User) => Promise<void>,
): Promise<void> {
  await asOperator(async ({ database, actor }) => {
    const user = await requireUser(database, text);
    await database.transaction(async (transaction) => {
      await lockCustomer(transaction, user.customer_id, 'exclusive');
      await change(transaction, user);
      await audit(transaction, { action, actor, customerId: user.customer_id, userId: user.id });
    });
    print({ action, user: user.email }, [`${user.email}: ${action.replace('_', ' ')}`]);
  });
}

/** @throws {OperationError} when the user does not exist */
export async function requireUser(database: Queryable, text: string): Promise<User> {
  const address = parseEmailAddress(text)?.address;
  const user = address && (await repository(database, User).findOneBy({ email: address }));
  if (!user) throw new OperationError(`user ${text} does not exist; "users list" shows all users`);
  return user;
}

import type { Queryable } from '@gpu-observatory/service-runtime/process';
import { repository } from '../database/repositories.ts';
import { CustomerDomain } from '../tenants/customer-domain.entity.ts';
import type { Customer } from '../tenants/customer.entity.ts';
import { UserIdentity } from '../users/user-identity.entity.ts';
import { User } from '../users/user.entity.ts';
import type { ProviderIdentity } from './strategies/provider.ts';

/** Returns the customer of an email domain. Subdomains do not match. */
export async function findCustomerByDomain(
  queryable: Queryable,
  domain: string,
): Promise<Customer | undefined> {
  // `findOne` with a relation sends two statements.
  const [found] = await repository(queryable, CustomerDomain).find({
    where: { domain },
    relations: { customer: true },
  });
  return found?.customer;
}

export async function findUserByIdentity(
  queryable: Queryable,
  { provider, subject }: Pick<ProviderIdentity, 'provider' | 'subject'>,
): Promise<User | undefined> {
  // `findOne` with a relation sends two statements.
  const [identity] = await repository(queryable, UserIdentity).find({
    where: { provider, subject },
    relations: { user: true },
  });
  return identity?.user;
}

export async function findUserByEmail(queryable: Queryable, email: string): Promise<User | null> {
  return repository(queryable, User).findOneBy({ email });
}

export async function hasIdentityAt(
  queryable: Queryable,
  userId: number,
  provider: string,
): Promise<boolean> {
  return repository(queryable, UserIdentity).existsBy({ user_id: userId, provider });
}

/** @returns false when the account is already linked to another user */
export async function linkIdentity(
  transaction: Queryable,
  userId: number,
  { provider, subject }: Pick<ProviderIdentity, 'provider' | 'subject'>,
): Promise<boolean> {
  const linked = await transaction.query({
    text: `INSERT INTO account.user_identities (provider, subject, user_id) VALUES ($1, $2, $3)
           ON CONFLICT (provider, subject) DO NOTHING
           RETURNING user_id`,
    values: [provider, subject, userId],
  });
  return linked.length > 0;
}

export async function insertUser(
  transaction: Queryable,
  { customerId, email }: { customerId: number; email: string },
): Promise<User> {
  const users = repository(transaction, User);
  const user = users.create({ customer_id: customerId, email, disabled_at: null });
  // Also sets the columns that the database assigns.
  await users.insert(user);
  return user;
}

/** Adds a user to the default workspace of the customer, if it has one. */
export async function joinDefaultWorkspace(
  transaction: Queryable,
  userId: number,
  customerId: number,
  role: string,
): Promise<void> {
  await transaction.query({
    text: `INSERT INTO account.workspace_members (workspace_id, user_id, role)
           SELECT id, $1, $3 FROM account.workspaces WHERE customer_id = $2 AND is_default
           ON CONFLICT (workspace_id, user_id) DO NOTHING`,
    values: [userId, customerId, role],
  });
}

/**
 * Updates a user from the provider's profile. Name and picture come from the provider that was linked first, so that no
 * later provider renames the user; an empty one keeps the stored one.
 */
export async function recordSignIn(
  transaction: Queryable,
  userId: number,
  profile: { provider: string; email: string; name: string; avatar: string },
): Promise<void> {
  await transaction.query({
    text: `UPDATE account.users
              SET email = $2,
                  name = CASE WHEN first.provider = $5 THEN coalesce(nullif($3, ''), name) ELSE name END,
                  avatar = CASE WHEN first.provider = $5 THEN coalesce(nullif($4, ''), avatar) ELSE avatar END,
                  last_signed_in_at = clock_timestamp()
             FROM (SELECT (SELECT provider FROM account.user_identities
                            WHERE user_id = $1 ORDER BY linked_at, provider LIMIT 1) AS provider) AS first
            WHERE id = $1`,
    values: [userId, profile.email, profile.name, profile.avatar, profile.provider],
  });
}

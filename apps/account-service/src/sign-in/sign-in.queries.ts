import type { Queryable } from '@gpu-observatory/service-runtime/process';
import { repository } from '../database/repositories.ts';
import { CustomerDomain } from '../tenants/customer-domain.entity.ts';
import type { Customer } from '../tenants/customer.entity.ts';
import { UserIdentity } from '../users/user-identity.entity.ts';
import type { User } from '../users/user.entity.ts';
import type { SignInMethodId } from './sign-in-methods.ts';
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

/**
 * Updates a user from the provider's profile. Name and picture come from the provider that was linked first, so that no
 * later provider renames the user; an empty one keeps the stored one.
 */
export async function recordSignIn(
  transaction: Queryable,
  userId: number,
  profile: { signInMethod: SignInMethodId; email: string; name: string; avatar: string },
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
    values: [userId, profile.email, profile.name, profile.avatar, profile.signInMethod],
  });
}

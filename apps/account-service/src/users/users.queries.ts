import type { Queryable } from '@gpu-observatory/service-runtime/process';
import { repository } from '../database/repositories.ts';
import type { ProviderIdentity } from '../sign-in/strategies/provider.ts';
import { UserIdentity } from './user-identity.entity.ts';
import { User } from './user.entity.ts';

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
  now: Date,
): Promise<void> {
  await transaction.query({
    text: `UPDATE account.users
              SET email = $2,
                  name = CASE WHEN first.provider = $6 THEN coalesce(nullif($3, ''), name) ELSE name END,
                  avatar = CASE WHEN first.provider = $6 THEN coalesce(nullif($4, ''), avatar) ELSE avatar END,
                  first_signed_in_at = coalesce(first_signed_in_at, $5),
                  last_signed_in_at = $5
             FROM (SELECT (SELECT provider FROM account.user_identities
                            WHERE user_id = $1 ORDER BY linked_at, provider LIMIT 1) AS provider) AS first
            WHERE id = $1`,
    values: [userId, profile.email, profile.name, profile.avatar, now, profile.provider],
  });
}

export interface ListedUser {
  id: number;
  email: string;
  name: string;
  customer: string;
  administrator: boolean;
  disabled_at: Date | null;
  last_signed_in_at: Date | null;
  /** Linked providers. */
  identities: string[];
}

export async function listUsers(queryable: Queryable): Promise<ListedUser[]> {
  return queryable.query<ListedUser>({
    text: `SELECT users.id, users.email, users.name, customers.slug AS customer, users.administrator,
                  users.disabled_at, users.last_signed_in_at,
                  ARRAY(SELECT provider FROM account.user_identities
                         WHERE user_id = users.id ORDER BY provider) AS identities
             FROM account.users
             JOIN account.customers ON customers.id = users.customer_id
            ORDER BY customers.slug, users.email`,
  });
}

export async function setDisabled(transaction: Queryable, userId: number, disabled: boolean): Promise<void> {
  const now = () => 'coalesce(disabled_at, now())';
  await repository(transaction, User).update({ id: userId }, { disabled_at: disabled ? now : null });
}

export async function unlinkIdentity(
  transaction: Queryable,
  userId: number,
  provider: string,
): Promise<void> {
  await repository(transaction, UserIdentity).delete({ user_id: userId, provider });
}

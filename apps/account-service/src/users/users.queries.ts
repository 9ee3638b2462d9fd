import type { Queryable } from '@gpu-observatory/service-runtime/process';
import type { ProviderIdentity } from '../sign-in/strategies/provider.ts';

export interface UserRow {
  id: number;
  customer_id: number;
  email: string;
  name: string;
  disabled_at: Date | null;
}

export async function findUserByIdentity(
  queryable: Queryable,
  { provider, subject }: Pick<ProviderIdentity, 'provider' | 'subject'>,
): Promise<UserRow | undefined> {
  const [user] = await queryable.query<UserRow>({
    name: 'find-user-by-identity',
    text: `SELECT users.id, users.customer_id, users.email, users.name, users.disabled_at
             FROM account.user_identities
             JOIN account.users ON users.id = user_identities.user_id
            WHERE user_identities.provider = $1 AND user_identities.subject = $2`,
    values: [provider, subject],
  });
  return user;
}

export async function findUserByEmail(queryable: Queryable, email: string): Promise<UserRow | undefined> {
  const [user] = await queryable.query<UserRow>({
    name: 'find-user-by-email',
    text: `SELECT id, customer_id, email, name, disabled_at FROM account.users WHERE email = $1`,
    values: [email],
  });
  return user;
}

export async function hasIdentityAt(
  queryable: Queryable,
  userId: number,
  provider: string,
): Promise<boolean> {
  const found = await queryable.query({
    name: 'has-identity-at',
    text: `SELECT 1 FROM account.user_identities WHERE user_id = $1 AND provider = $2`,
    values: [userId, provider],
  });
  return found.length > 0;
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
  user: { customerId: number; email: string },
): Promise<UserRow> {
  const [row] = await transaction.query<UserRow>({
    text: `INSERT INTO account.users (customer_id, email) VALUES ($1, $2)
           RETURNING id, customer_id, email, name, disabled_at`,
    values: [user.customerId, user.email],
  });
  return row as UserRow;
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
  await transaction.query({
    text: `UPDATE account.users SET disabled_at = CASE WHEN $2 THEN coalesce(disabled_at, now()) END WHERE id = $1`,
    values: [userId, disabled],
  });
}

export async function unlinkIdentity(
  transaction: Queryable,
  userId: number,
  provider: string,
): Promise<void> {
  await transaction.query({
    text: `DELETE FROM account.user_identities WHERE user_id = $1 AND provider = $2`,
    values: [userId, provider],
  });
}

import type { Queryable } from '@gpu-observatory/service-runtime/process';
import type { User } from '../../users/user.entity.ts';

export interface UserWithPassword extends Pick<
  User,
  'id' | 'email' | 'name' | 'avatar' | 'customer_id' | 'disabled_at'
> {
  password_hash: string;
}

export async function findUserWithPassword(
  queryable: Queryable,
  email: string,
): Promise<UserWithPassword | undefined> {
  const [user] = await queryable.query<UserWithPassword>({
    name: 'find-user-with-password',
    text: `SELECT users.id, users.email, users.name, users.avatar, users.customer_id, users.disabled_at,
                  user_passwords.password_hash
             FROM account.users
             JOIN account.user_passwords ON user_passwords.user_id = users.id
            WHERE users.email = $1 AND user_passwords.password_hash IS NOT NULL`,
    values: [email],
  });
  return user;
}

/** Sets the password of a user; null removes it. */
export async function setPassword(
  transaction: Queryable,
  userId: number,
  hash: string | null,
): Promise<void> {
  await transaction.query({
    text: `INSERT INTO account.user_passwords (user_id, password_hash) VALUES ($1, $2)
           ON CONFLICT (user_id) DO UPDATE SET password_hash = $2, set_at = clock_timestamp()`,
    values: [userId, hash],
  });
}

/** Returns whether a password of the user was ever set or removed. */
export async function hasPasswordHistory(transaction: Queryable, userId: number): Promise<boolean> {
  const rows = await transaction.query({
    text: 'SELECT user_id FROM account.user_passwords WHERE user_id = $1',
    values: [userId],
  });
  return rows.length > 0;
}

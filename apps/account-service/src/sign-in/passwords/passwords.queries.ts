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
            WHERE users.email = $1`,
    values: [email],
  });
  return user;
}

export async function setPassword(transaction: Queryable, userId: number, hash: string): Promise<void> {
  await transaction.query({
    text: `INSERT INTO account.user_passwords (user_id, password_hash) VALUES ($1, $2)
           ON CONFLICT (user_id) DO UPDATE SET password_hash = $2, set_at = clock_timestamp()`,
    values: [userId, hash],
  });
}

export async function clearPassword(transaction: Queryable, userId: number): Promise<void> {
  await transaction.query({
    text: 'DELETE FROM account.user_passwords WHERE user_id = $1',
    values: [userId],
  });
}

import type { User } from '@gpu-observatory/domain-types';
import type { Queryable } from '@gpu-observatory/service-runtime/process';

export async function findMe(queryable: Queryable, userId: number): Promise<User | undefined> {
  const [user] = await queryable.query<User>({
    name: 'find-me',
    text: `SELECT id, email, name, avatar FROM account.users WHERE id = $1`,
    values: [userId],
  });
  return user;
}

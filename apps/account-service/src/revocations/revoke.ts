import type { Revocation } from '@gpu-observatory/domain-types';
import type { Queryable } from '@gpu-observatory/service-runtime/process';

/** Session, user, customer or signing key whose tokens are revoked. */
export type RevokedSubject = Pick<Revocation, 'kind' | 'id'>;

/** Records revocations. Every replica of every service reads them through the feed. */
export async function revoke(queryable: Queryable, subjects: readonly RevokedSubject[]): Promise<void> {
  if (subjects.length === 0) return;
  await queryable.query({
    name: 'revoke',
    text: `INSERT INTO account.revocations (kind, subject_id) SELECT DISTINCT * FROM unnest($1::text[], $2::text[])`,
    values: [subjects.map(({ kind }) => kind), subjects.map(({ id }) => id)],
  });
}

import type { RevocationKind } from '@gpu-observatory/domain-types';
import type { Queryable } from '@gpu-observatory/service-runtime/process';

/** Records revocations. Every replica of every service reads them through the feed. */
export async function revoke(
  queryable: Queryable,
  kind: RevocationKind,
  ids: readonly (string | number)[],
): Promise<void> {
  if (ids.length === 0) return;
  await queryable.query({
    name: 'revoke',
    text: `INSERT INTO account.revocations (kind, subject_id) SELECT $1, unnest($2::text[])`,
    values: [kind, ids.map(String)],
  });
}

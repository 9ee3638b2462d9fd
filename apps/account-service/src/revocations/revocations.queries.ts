import { formatTimestamp, type Revocation, type RevocationKind } from '@gpu-observatory/domain-types';
import type { Queryable } from '@gpu-observatory/service-runtime';
import type { RevocationPage } from '@gpu-observatory/token-verification';

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

interface RevocationRow {
  kind: RevocationKind;
  subject_id: string;
  not_before: Date;
}

/**
 * Returns the revocations recorded since an instant. Without one, returns all that can concern a valid token: the last
 * 24 h (the lifetime of a session), and every withdrawn signing key.
 */
export async function readRevocations(queryable: Queryable, since: Date | null): Promise<RevocationPage> {
  // Read before the rows, so that a concurrent revocation is returned twice rather than never.
  const [{ as_of: asOf } = { as_of: new Date() }] = await queryable.query<{ as_of: Date }>({
    name: 'revocations-as-of',
    text: 'SELECT clock_timestamp()::timestamptz(3) AS as_of',
  });
  const rows = await queryable.query<RevocationRow>({
    name: since === null ? 'effective-revocations' : 'revocations-since',
    text: `SELECT kind, subject_id, max(not_before) AS not_before
             FROM account.revocations
            WHERE ${since === null ? `recorded_at >= clock_timestamp() - interval '24 hours' OR kind = 'signing_key'` : 'recorded_at >= $1'}
            GROUP BY kind, subject_id
            ORDER BY not_before, kind, subject_id`,
    values: since === null ? [] : [since],
  });
  return {
    as_of: formatTimestamp(asOf),
    revocations: rows.map(({ kind, subject_id, not_before }): Revocation => ({
      kind,
      id: subject_id,
      not_before: formatTimestamp(not_before),
    })),
  };
}

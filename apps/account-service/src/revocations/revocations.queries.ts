import { formatTimestamp, parseTimestamp, type Revocation } from '@gpu-observatory/domain-types';
import type { Queryable } from '@gpu-observatory/service-runtime/process';
import { REVOCATION_LIFETIME_SECONDS, type RevocationPage } from '@gpu-observatory/token-verification';

/** Maximum number of revocations on a page of the feed: a page of sessions takes about 50 ms and 0.5 MB. */
const PAGE_SIZE = 20_000;

/** Position of a revocation in the feed, which is ordered by time and id. */
interface FeedPosition {
  recordedAt: Date;
  id: string;
}

interface FeedRequest {
  /** Reads the revocations recorded from this instant on; null reads every one that can concern an unexpired token. */
  since: Date | null;
  /** Position of the last revocation on the previous page; null for the first page. */
  after: FeedPosition | null;
  /** Returns sessions as bytes instead of entries. */
  compact: boolean;
}

interface PageRow {
  as_of: Date;
  revocations: Revocation[];
  sessions: Buffer | null;
  count: number;
  last_recorded_at: Date | null;
  last_id: string | null;
}

/**
 * Returns a page of the revocation feed (`docs/tokens.md#revocation`). The first page of a read without `since` also
 * has all withdrawn signing keys, however old.
 */
export async function readRevocations(
  queryable: Queryable,
  { since, after, compact }: FeedRequest,
  timeoutMs?: number,
): Promise<RevocationPage> {
  const isFirstOfAll = since === null && after === null;
  const [row] = await queryable.query<PageRow>({
    name: `revocations-${compact ? 'compact' : 'entries'}${isFirstOfAll ? '-first' : ''}`,
    // One row comparison: with a second condition on recorded_at, the index scan would begin at the oldest entry.
    // statement_timestamp() precedes the snapshot of the rows: a concurrent revocation is returned twice rather than
    // never.
    text: `WITH page AS MATERIALIZED (
             SELECT id, kind, subject_id, not_before, recorded_at
               FROM account.revocations
              WHERE (recorded_at, id) > (
                      coalesce($1::timestamptz, statement_timestamp() - make_interval(secs => $2)), $3::bigint)
              ORDER BY recorded_at, id
              LIMIT $4),
           entries AS (
             SELECT kind, subject_id, not_before FROM page WHERE ${compact ? "kind <> 'session'" : 'true'}
             ${isFirstOfAll ? `UNION ALL SELECT kind, subject_id, not_before FROM account.revocations WHERE kind = 'signing_key'` : ''}),
           latest AS (
             SELECT kind, subject_id AS id,
                    to_char(max(not_before) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS not_before
               FROM entries
              GROUP BY kind, subject_id)
           SELECT statement_timestamp()::timestamptz(3) AS as_of,
                  (SELECT coalesce(json_agg(latest ORDER BY not_before, kind, id), '[]') FROM latest) AS revocations,
                  ${
                    compact
                      ? `(SELECT string_agg(uuid_send(subject_id::uuid)
                                    || substr(int8send(ceil(extract(epoch FROM not_before))::bigint), 5), '')
                    FROM page WHERE kind = 'session')`
                      : 'NULL::bytea'
                  } AS sessions,
                  (SELECT count(*)::integer FROM page) AS count,
                  (SELECT recorded_at FROM page ORDER BY recorded_at DESC, id DESC LIMIT 1) AS last_recorded_at,
                  (SELECT id::text FROM page ORDER BY recorded_at DESC, id DESC LIMIT 1) AS last_id`,
    values: [after?.recordedAt ?? since, REVOCATION_LIFETIME_SECONDS, after?.id ?? '0', PAGE_SIZE],
    ...(timeoutMs !== undefined && { timeoutMs }),
  });
  const { as_of: asOf, revocations, sessions, count, last_recorded_at, last_id } = row as PageRow;
  const last = last_recorded_at && last_id !== null ? { recordedAt: last_recorded_at, id: last_id } : null;
  return {
    as_of: formatTimestamp(asOf),
    next: count === PAGE_SIZE && last ? formatPosition(last) : null,
    revocations,
    ...(compact && { sessions: sessions?.toString('base64') ?? '' }),
  };
}

function formatPosition({ recordedAt, id }: FeedPosition): string {
  return `${formatTimestamp(recordedAt)}_${id}`;
}

/** @returns null for a text that is not `next` of a page */
export function parsePosition(text: string): FeedPosition | null {
  const [, time = '', id] = /^(.+)_(\d{1,18})$/.exec(text) ?? [];
  const recordedAt = parseTimestamp(time);
  return recordedAt && id !== undefined ? { recordedAt, id } : null;
}

import type pg from 'pg';
import type { Retention } from '../../config/retention.config.ts';

/** A partition of which everything is older than it is kept. */
export interface OldPartition {
  table: string;
  partition: string;
  /** Its upper bound, exclusive, RFC 3339. */
  until: string;
  bytes: number;
  /** An earlier run has begun to take it out and was cut short. */
  detaching: boolean;
}

/**
 * An importer asks for a partition, remembers for some minutes that it is there, and writes to it: what it has just been
 * allowed to write must not lose its place.
 */
export const GRACE = '1 hour';

/** In the order to drop them: alerts before what hangs on them, the oldest first. */
export async function oldPartitions(client: pg.Client, retention: Retention): Promise<OldPartition[]> {
  const { rows } = await client.query<OldPartition & { until: Date }>(
    `SELECT p.table_name AS table, c.relname AS partition, b.until, pg_total_relation_size(c.oid) AS bytes,
            i.inhdetachpending AS detaching
     FROM fleet.partitioned_tables p
     JOIN pg_inherits i ON i.inhparent = format('fleet.%I', p.table_name)::regclass
     JOIN pg_class c ON c.oid = i.inhrelid
     CROSS JOIN LATERAL (
       SELECT (regexp_match(pg_get_expr(c.relpartbound, c.oid), $$TO \\('([^']+)'\\)$$))[1]::timestamptz AS until
     ) AS b
     JOIN unnest($1::text[], $2::interval[]) AS r (kind, period) ON r.kind = p.kind
     WHERE b.until <= now() - r.period - interval '${GRACE}' OR i.inhdetachpending
     ORDER BY p.table_name <> 'alerts', p.table_name, b.until`,
    [Object.keys(retention), Object.values(retention)],
  );
  return rows.map((row) => ({ ...row, until: row.until.toISOString() }));
}

/** Partitions that a run cut short has taken out and not dropped: tables by themselves, which nobody reads. */
export async function detachedPartitions(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT c.relname AS name FROM fleet.partitioned_tables p
     JOIN pg_class c ON c.relnamespace = 'fleet'::regnamespace AND c.relkind = 'r' AND NOT c.relispartition
       AND c.relname ~ ('^' || p.table_name || '_\\d{4}_\\d\\d(_\\d\\d)?$')
     ORDER BY c.relname`,
  );
  return rows.map(({ name }) => name);
}

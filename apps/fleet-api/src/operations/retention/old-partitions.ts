import type pg from 'pg';
import type { Retention } from '../../config/retention.config.ts';
import { distributedTables } from '../distribute/distribution-plan.ts';

/** A partition whose rows are all older than the retention. */
export interface OldPartition {
  table: string;
  partition: string;
  /** Upper bound, exclusive, RFC 3339. */
  until: string;
  bytes: number;
  /** Whether an interrupted run has started to detach it. */
  detaching: boolean;
}

/** Time that a partition is kept after the retention. Importers cache for some minutes that it exists. */
export const GRACE = '1 hour';

/** Returns old partitions in the order in which they are dropped: alerts before their details, oldest first. */
export async function oldPartitions(client: pg.Client, retention: Retention): Promise<OldPartition[]> {
  const isDistributed = (await distributedTables(client)).size > 0;
  const sizeFunction = isDistributed ? 'citus_total_relation_size' : 'pg_total_relation_size';
  const { rows } = await client.query<OldPartition & { until: Date }>(
    `SELECT p.table_name AS table, c.relname AS partition, b.until, ${sizeFunction}(c.oid) AS bytes,
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

/** Returns the names of former partitions that an interrupted run has detached but not dropped. */
export async function detachedPartitions(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT c.relname AS name FROM fleet.partitioned_tables p
     JOIN pg_class c ON c.relnamespace = 'fleet'::regnamespace AND c.relkind = 'r' AND NOT c.relispartition
       AND c.relname ~ ('^' || p.table_name || '_\\d{4}_\\d\\d(_\\d\\d)?$')
     ORDER BY c.relname`,
  );
  return rows.map(({ name }) => name);
}

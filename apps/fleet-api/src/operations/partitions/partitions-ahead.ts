import type pg from 'pg';

/** Number of future partitions of each table. */
export interface Ahead {
  /** Months after the current one, for tables with monthly partitions. */
  months: number;
  /** Days after today, for tables with daily partitions. */
  days: number;
}

interface Partition {
  table: string;
  partition: string;
}

/**
 * Creates future partitions, so that no import waits for one. Each is created in its own transaction and does not block reads.
 *
 * @returns the partitions that did not exist before
 */
export async function createPartitionsAhead(
  client: pg.Client,
  ahead: Ahead,
  { dryRun = false }: { dryRun?: boolean } = {},
): Promise<Partition[]> {
  // Includes the current partition. The names are those of `fleet.create_partition`.
  const { rows: missing } = await client.query<Partition & { at: string }>(
    `SELECT p.table_name AS table, name.partition, b.at::text
     FROM fleet.partitioned_tables p
     CROSS JOIN LATERAL generate_series(date_trunc(p.grain, now()),
       now() + CASE p.grain WHEN 'day' THEN make_interval(days => $2) ELSE make_interval(months => $1) END,
       ('1 ' || p.grain)::interval) AS b (at)
     CROSS JOIN LATERAL (
       SELECT p.table_name || to_char(b.at, CASE p.grain WHEN 'day' THEN '"_"YYYY"_"MM"_"DD' ELSE '"_"YYYY"_"MM' END) AS partition
     ) AS name
     WHERE NOT EXISTS (
       SELECT FROM pg_class c
       WHERE c.relnamespace = 'fleet'::regnamespace AND c.relname = name.partition AND c.relispartition
     )
     ORDER BY p.table_name, b.at`,
    [ahead.months, ahead.days],
  );
  if (!dryRun) {
    for (const { table, at } of missing)
      await client.query('SELECT fleet.create_partition($1, $2)', [table, at]);
  }
  return missing.map(({ table, partition }) => ({ table, partition }));
}

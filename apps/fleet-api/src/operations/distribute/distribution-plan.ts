import { OperationError } from '@gpu-observatory/service-runtime/process';
import type pg from 'pg';

/** All other distributed tables are colocated with this one, so that the rows of a customer are on one node. */
const ANCHOR = 'data_versions';
/** Small tables without a customer, which are replicated to every node. */
const REFERENCE_TABLES = ['partitioned_tables', 'retention'];
/** Tables that stay on the coordinator. */
const LOCAL_TABLES = ['migrations'];

interface DistributionStep {
  table: string;
  /** `local rows` deletes the original rows on the coordinator; the others create a table of this kind. */
  kind: 'reference' | 'distributed' | 'local rows';
  sql: string;
  /** Whether an earlier run has executed the statement. */
  done: boolean;
}

/**
 * Returns the statements that distribute the schema with Citus, in order: reference tables, the anchor table, the other tables.
 * Partitions follow their tables. Citus copies the rows to the nodes and keeps hidden originals on the coordinator. The last statements
 * delete the originals.
 *
 * @throws {OperationError} when a table has no customer_id and is not one of the exceptions
 */
export async function distributionPlan(client: pg.Client): Promise<DistributionStep[]> {
  // The anchor comes before the other distributed tables, which are colocated with it.
  const { rows: tables } = await client.query<{
    table: string;
    kind: 'reference' | 'distributed' | null;
    local_bytes: number;
  }>(
    `SELECT c.relname AS table, k.kind,
      coalesce((SELECT sum(pg_relation_size(t.relid)) FROM pg_partition_tree(c.oid) AS t), pg_relation_size(c.oid))::float8 AS local_bytes
     FROM pg_class c CROSS JOIN LATERAL (
       SELECT CASE WHEN c.relname = ANY ($1) THEN 'reference' WHEN EXISTS (
           SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'customer_id' AND a.atttypid = 'integer'::regtype
         ) THEN 'distributed' END AS kind
     ) AS k
     WHERE c.relnamespace = 'fleet'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relname <> ALL ($2)
     ORDER BY k.kind = 'distributed', c.relname <> $3, c.relname`,
    [REFERENCE_TABLES, LOCAL_TABLES, ANCHOR],
  );
  const done = await distributedTables(client);
  const distribution = tables.map(({ table, kind }): DistributionStep => {
    if (kind === null)
      throw new OperationError(
        `fleet.${table} has no integer customer_id to distribute by; nothing was changed`,
      );
    const colocation = table === ANCHOR ? 'none' : `fleet.${ANCHOR}`;
    const sql =
      kind === 'reference'
        ? `SELECT create_reference_table('fleet.${table}')`
        : `SELECT create_distributed_table('fleet.${table}', 'customer_id', colocate_with => '${colocation}')`;
    return { table, kind, sql, done: done.has(table) };
  });
  const deletion = tables.map(({ table, local_bytes }): DistributionStep => ({
    table,
    kind: 'local rows',
    sql: `SELECT truncate_local_data_after_distributing_table('fleet.${table}')`,
    done: done.has(table) && local_bytes === 0,
  }));
  return [...distribution, ...deletion];
}

/**
 * Checks that the database is prepared for Citus.
 *
 * @throws {OperationError} when the extension is missing, or when a role still has `plan_cache_mode = force_generic_plan`
 */
export async function requireCitus(client: pg.Client): Promise<void> {
  const { rows } = await client.query("SELECT FROM pg_extension WHERE extname = 'citus'");
  if (rows.length === 0) {
    throw new OperationError(
      'the Citus extension is missing: add it to shared_preload_libraries of every node, and run CREATE EXTENSION citus in ' +
        'this database; --dry-run prints what would be done (docs/distributing.md)',
    );
  }
  const { rows: roles } = await client.query<{ name: string }>(
    `SELECT r.rolname AS name FROM pg_db_role_setting s JOIN pg_roles r ON r.oid = s.setrole
     JOIN pg_database d ON d.oid = s.setdatabase AND d.datname = current_database()
     WHERE 'plan_cache_mode=force_generic_plan' = ANY (s.setconfig) ORDER BY r.rolname`,
  );
  if (roles.length > 0) {
    throw new OperationError(
      `Citus rejects the statements of ${roles.map(({ name }) => name).join(', ')}, because plan_cache_mode is ` +
        'force_generic_plan: run `fleet database prepare`, which sets it for Citus, and restart the services',
    );
  }
}

/** Returns the names of the tables that Citus distributes; empty without the extension. */
export async function distributedTables(client: pg.Client): Promise<Set<string>> {
  const { rows: catalogs } = await client.query<{ exists: boolean }>(
    "SELECT to_regclass('pg_catalog.pg_dist_partition') IS NOT NULL AS exists",
  );
  if (!catalogs[0]?.exists) return new Set();
  const { rows } = await client.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_catalog.pg_dist_partition d JOIN pg_class c ON c.oid = d.logicalrelid
     WHERE c.relnamespace = 'fleet'::regnamespace`,
  );
  return new Set(rows.map(({ name }) => name));
}

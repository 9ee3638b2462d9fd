import { OperationError } from '@gpu-observatory/service-runtime/process';
import type pg from 'pg';

/** All other distributed tables are colocated with this one, so that the rows of a customer are on one node. */
const ANCHOR = 'data_versions';
/** Small tables without a customer, which are replicated to every node. */
const REFERENCE_TABLES = ['partitioned_tables', 'retention'];
/** Tables that stay on the coordinator. */
const LOCAL_TABLES = ['migrations'];

export interface DistributionStep {
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
  // The anchor comes first, because the other tables are colocated with it.
  const { rows } = await client.query<{ name: string; has_customer: boolean; local_bytes: number }>(
    `SELECT c.relname AS name, EXISTS (
        SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'customer_id' AND a.atttypid = 'integer'::regtype
      ) AS has_customer,
      coalesce((SELECT sum(pg_relation_size(t.relid)) FROM pg_partition_tree(c.oid) AS t), pg_relation_size(c.oid))::float8 AS local_bytes
     FROM pg_class c
     WHERE c.relnamespace = 'fleet'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
     ORDER BY c.relname <> $1, c.relname`,
    [ANCHOR],
  );
  const names = rows.map(({ name }) => name);
  const undistributable = rows.find(
    ({ name, has_customer }) => !has_customer && ![...REFERENCE_TABLES, ...LOCAL_TABLES].includes(name),
  );
  if (undistributable) {
    throw new OperationError(
      `fleet.${undistributable.name} has no integer customer_id to distribute by; nothing was changed`,
    );
  }
  const done = await distributedTables(client);
  const distribution = [
    ...REFERENCE_TABLES.filter((name) => names.includes(name)).map((table) => ({
      table,
      kind: 'reference' as const,
      sql: `SELECT create_reference_table('fleet.${table}')`,
      done: done.has(table),
    })),
    ...rows
      .filter(({ has_customer }) => has_customer)
      .map(({ name }) => ({
        table: name,
        kind: 'distributed' as const,
        sql: `SELECT create_distributed_table('fleet.${name}', 'customer_id', colocate_with => '${name === ANCHOR ? 'none' : `fleet.${ANCHOR}`}')`,
        done: done.has(name),
      })),
  ];
  const localBytes = new Map(rows.map(({ name, local_bytes }) => [name, local_bytes]));
  return [
    ...distribution,
    ...distribution.map(({ table, done }) => ({
      table,
      kind: 'local rows' as const,
      sql: `SELECT truncate_local_data_after_distributing_table('fleet.${table}')`,
      done: done && localBytes.get(table) === 0,
    })),
  ];
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

import { OperationError } from '@gpu-observatory/service-runtime';
import type pg from 'pg';

/** Every other table lives with it: rows of one customer are on one node. */
const ANCHOR = 'data_versions';
/** What belongs to no customer: small, and the same on every node. Migrations are the coordinator's own. */
const REFERENCE_TABLES = ['partitioned_tables', 'retention'];
const LOCAL_TABLES = ['migrations'];

export interface DistributionStep {
  table: string;
  kind: 'reference' | 'distributed';
  sql: string;
  /** An earlier run has done it. */
  done: boolean;
}

/**
 * What makes Citus' tables of the schema, in order: reference tables, the table that the others live with, the others.
 * Partitions go with their tables.
 *
 * @throws {OperationError} when a table has neither a customer nor a place among the exceptions
 */
export async function distributionPlan(client: pg.Client): Promise<DistributionStep[]> {
  const { rows } = await client.query<{ name: string; is_tenants: boolean }>(
    `SELECT c.relname AS name, EXISTS (
        SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'customer_id' AND a.atttypid = 'integer'::regtype
      ) AS is_tenants
     FROM pg_class c
     WHERE c.relnamespace = 'fleet'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
     ORDER BY c.relname <> $1, c.relname`,
    [ANCHOR],
  );
  const done = await distributedTables(client);
  const names = rows.map(({ name }) => name);
  const homeless = rows.find(
    ({ name, is_tenants }) => !is_tenants && ![...REFERENCE_TABLES, ...LOCAL_TABLES].includes(name),
  );
  if (homeless) {
    throw new OperationError(
      `fleet.${homeless.name} has no integer customer_id to be distributed by; nothing was done`,
    );
  }
  return [
    ...REFERENCE_TABLES.filter((name) => names.includes(name)).map((table) => ({
      table,
      kind: 'reference' as const,
      sql: `SELECT create_reference_table('fleet.${table}')`,
      done: done.has(table),
    })),
    ...rows
      .filter(({ is_tenants }) => is_tenants)
      .map(({ name }) => ({
        table: name,
        kind: 'distributed' as const,
        sql: `SELECT create_distributed_table('fleet.${name}', 'customer_id', colocate_with => '${name === ANCHOR ? 'none' : `fleet.${ANCHOR}`}')`,
        done: done.has(name),
      })),
  ];
}

/** @throws {OperationError} where the extension is not there */
export async function requireCitus(client: pg.Client): Promise<void> {
  const { rows } = await client.query("SELECT FROM pg_extension WHERE extname = 'citus'");
  if (rows.length > 0) return;
  throw new OperationError(
    'this database has no Citus: it should be in shared_preload_libraries of every node, and made here with ' +
      'CREATE EXTENSION citus; --dry-run shows what would be done (docs/distributing.md)',
  );
}

async function distributedTables(client: pg.Client): Promise<Set<string>> {
  const { rows: known } = await client.query<{ there: boolean }>(
    "SELECT to_regclass('pg_catalog.pg_dist_partition') IS NOT NULL AS there",
  );
  if (!known[0]?.there) return new Set();
  const { rows } = await client.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_catalog.pg_dist_partition d JOIN pg_class c ON c.oid = d.logicalrelid
     WHERE c.relnamespace = 'fleet'::regnamespace`,
  );
  return new Set(rows.map(({ name }) => name));
}

import { rowsOf } from './fleet-tables.ts';

/**
 * Makes the catalog of a database look like that of a Citus cluster with a distributed schema, so that services and commands
 * send the statements that they send there. Plain PostgreSQL runs these statements too.
 */
export async function imitateCitus(administratorUrl: string): Promise<void> {
  await rowsOf(
    administratorUrl,
    `SET allow_system_table_mods = on;
     UPDATE pg_extension SET extname = 'citus' WHERE extname = 'plpgsql';
     CREATE TABLE pg_catalog.pg_dist_partition AS
       SELECT c.oid::regclass AS logicalrelid FROM pg_class c
       WHERE c.relnamespace = 'fleet'::regnamespace AND c.relkind IN ('r', 'p') AND c.relname <> 'migrations';
     GRANT SELECT ON pg_catalog.pg_dist_partition TO PUBLIC;
     CREATE FUNCTION pg_catalog.citus_total_relation_size(regclass) RETURNS bigint LANGUAGE sql
       AS 'SELECT pg_total_relation_size($1)'`,
  );
}

/**
 * Returns the DDL of the counter table, for a service's migration. The runtime role needs SELECT, INSERT, UPDATE and DELETE.
 * Unlogged, because every limited request writes a counter, and losing counters in a database crash is acceptable.
 */
export const rateLimitTableSql = (schema: string): string =>
  `CREATE UNLOGGED TABLE ${schema}.rate_limits (
     key varchar(255) PRIMARY KEY,
     points integer NOT NULL DEFAULT 0,
     expire bigint
   )`;

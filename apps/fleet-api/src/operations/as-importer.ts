import type pg from 'pg';
import type { ImportConnection } from '../importer/write/import-connection.ts';

/** Adapts a connection of the schema owner to the query method of `ImportConnection`. */
export function asImporter(client: pg.Client): Pick<ImportConnection, 'query'> {
  return {
    query: async <Row extends object>(text: string, values: unknown[] = []) =>
      (await client.query<Row & pg.QueryResultRow>(text, values)).rows,
  };
}

import type pg from 'pg';
import type { ImportConnection } from '../importer/write/import-connection.ts';

/** Adapts an owner's connection to code that imports use too. */
export function asImporter(client: pg.Client): Pick<ImportConnection, 'query'> {
  return {
    query: async <Row extends object>(text: string, values: unknown[] = []) =>
      (await client.query<Row & pg.QueryResultRow>(text, values)).rows,
  };
}

import { DataSource, type DataSourceOptions, DefaultNamingStrategy, type Table } from 'typeorm';

/** Names of PostgreSQL for constraints without one. */
class PostgresNames extends DefaultNamingStrategy {
  override primaryKeyName(table: Table | string): string {
    return `${nameOf(table)}_pkey`;
  }

  override uniqueConstraintName(table: Table | string, columns: string[]): string {
    return `${nameOf(table)}_${columns.join('_')}_key`;
  }

  override foreignKeyName(table: Table | string, columns: string[]): string {
    return `${nameOf(table)}_${columns.join('_')}_fkey`;
  }
}

function nameOf(table: Table | string): string {
  return (typeof table === 'string' ? table : table.name).replace(/^\w+\./, '');
}

export interface EntitySchema {
  /** Connection of the schema owner. */
  url: string;
  schema: string;
  entities: NonNullable<DataSourceOptions['entities']>;
}

/** Returns the statements that would make a migrated schema match the entities. */
export async function schemaDifferences({ url, schema, entities }: EntitySchema): Promise<string[]> {
  const namingStrategy = new PostgresNames();
  const source = new DataSource({ type: 'postgres', url, schema, entities, namingStrategy });
  await source.initialize();
  try {
    return (await source.driver.createSchemaBuilder().log()).upQueries.map(({ query }) => query);
  } finally {
    await source.destroy();
  }
}

import { DataSource, DefaultNamingStrategy, type Table } from 'typeorm';
import { ENTITIES } from '../src/database/repositories.ts';
import { type AccountDatabase, createAccountDatabase } from './support/account-database.ts';

let database: AccountDatabase;

beforeAll(async () => {
  database = await createAccountDatabase();
});

afterAll(() => database.drop());

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
  return (typeof table === 'string' ? table : table.name).replace('account.', '');
}

/** Returns the statements that would make the schema match the entities. */
async function differences(): Promise<string[]> {
  const source = await new DataSource({
    type: 'postgres',
    url: database.ownerUrl,
    schema: 'account',
    entities: ENTITIES,
    namingStrategy: new PostgresNames(),
  }).initialize();
  try {
    return (await source.driver.createSchemaBuilder().log()).upQueries.map(({ query }) => query);
  } finally {
    await source.destroy();
  }
}

test('entities have the columns, keys and indexes of the migrated schema', async () => {
  expect(await differences()).toEqual([]);
});

test.each([
  ['a column', 'ALTER TABLE account.sessions ADD COLUMN device text'],
  ['a type', 'ALTER TABLE account.users ALTER COLUMN name TYPE varchar(10)'],
  ['NOT NULL', 'ALTER TABLE account.api_keys ALTER COLUMN name DROP NOT NULL'],
  ['an index', 'DROP INDEX account.sessions_user'],
  ['a foreign key', 'ALTER TABLE account.users DROP CONSTRAINT users_customer_id_fkey'],
])('finds a difference in %s', async (_, change) => {
  await database.asOwner.query({ text: change });
  expect(await differences()).not.toEqual([]);
});

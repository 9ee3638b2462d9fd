import { schemaDifferences } from '@gpu-observatory/testing';
import { ENTITIES } from '../src/database/repositories.ts';
import { type AccountDatabase, createAccountDatabase } from './support/account-database.ts';

let database: AccountDatabase;

beforeAll(async () => {
  database = await createAccountDatabase();
});

afterAll(() => database.drop());

const differences = () =>
  schemaDifferences({ url: database.ownerUrl, schema: 'account', entities: ENTITIES });

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

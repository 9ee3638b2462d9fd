import { schemaDifferences, type TestDatabase } from '@gpu-observatory/testing';
import { withClient } from '@gpu-observatory/embedded-database';
import { ENTITIES } from '../src/database/repositories.ts';
import { createWebsiteDatabase, ownerUrl } from './support/website.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await createWebsiteDatabase();
});

afterAll(() => database.drop());

const differences = () =>
  schemaDifferences({ url: ownerUrl(database), schema: 'website', entities: ENTITIES });

test('entities have the columns, keys and indexes of the migrated schema', async () => {
  expect(await differences()).toEqual([]);
});

test.each([
  ['a column', 'ALTER TABLE website.posts ADD COLUMN subtitle text'],
  ['a type', 'ALTER TABLE website.tags ALTER COLUMN name TYPE varchar(10)'],
  ['an index', 'DROP INDEX website.contact_requests_undelivered'],
])('finds a difference in %s', async (_, change) => {
  await withClient(ownerUrl(database), (client) => client.query(change));
  expect(await differences()).not.toEqual([]);
});

import { createTestDatabase, type TestDatabase } from '@gpu-observatory/testing';
import { OwnerDatabase, withOwnerDatabase } from '../../src/process.ts';

const OPTIONS = { schema: 'fleet', lockTimeoutSeconds: 1 };

let place: TestDatabase;
let owner: OwnerDatabase;
beforeAll(async () => {
  place = await createTestDatabase('service-runtime/owner', async () => undefined);
  process.env.OWNER_DATABASE_URL = place.url;
  owner = new OwnerDatabase(place.url, OPTIONS);
  await owner.query({ text: 'CREATE TABLE notes (id bigint)' });
});
afterAll(async () => {
  delete process.env.OWNER_DATABASE_URL;
  await owner.close();
  await place.drop();
});

test('commits a transaction, and rolls back one that throws', async () => {
  const insert = (id: number) => ({ text: 'INSERT INTO notes (id) VALUES ($1)', values: [id] });
  await owner.transaction((transaction) => transaction.query(insert(1)));
  const failed = owner.transaction(async (transaction) => {
    await transaction.query(insert(2));
    throw new Error('no');
  });
  await expect(failed).rejects.toThrow('no');
  expect(await owner.query({ text: 'SELECT id FROM notes' })).toEqual([{ id: 1 }]);
});

test('reports a lock that is not available in time', async () => {
  const waiting = owner.transaction(async (transaction) => {
    await transaction.query({ text: 'LOCK TABLE notes' });
    await withOwnerDatabase(OPTIONS, (other) => other.query({ text: 'SELECT id FROM notes' }));
  });
  await expect(waiting).rejects.toThrow(/^another session held a lock for longer than 1 s \(/);
});

test('cancels a statement that takes too long', async () => {
  const sleeping = withOwnerDatabase({ ...OPTIONS, statementTimeoutSeconds: 1 }, (other) =>
    other.query({ text: 'SELECT pg_sleep(10)' }),
  );
  await expect(sleeping).rejects.toThrow(
    /^the database canceled a statement \(canceling statement due to statement timeout\)/,
  );
});

test('reports an unreachable database', async () => {
  const unreachable = new OwnerDatabase('postgres://owner@127.0.0.1:1/fleet', OPTIONS);
  await expect(unreachable.open()).rejects.toThrow(
    /^the fleet database cannot be reached \(.*\); check OWNER_DATABASE_URL$/,
  );
});

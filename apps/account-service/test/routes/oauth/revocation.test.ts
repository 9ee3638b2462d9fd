import type { Queryable } from '@gpu-observatory/service-runtime/process';
import { endSessions } from '../../../src/revocations/end-sessions.ts';
import { type ApiKey, keyOf, ServiceWithKeys } from '../../support/service-with-keys.ts';
import { exchangeKey, FleetVerifier, type KeyToken } from '../../support/key-tokens.ts';

let fixture: ServiceWithKeys;
let fleet: FleetVerifier;

beforeAll(async () => {
  fixture = await ServiceWithKeys.start();
  fleet = new FleetVerifier(fixture.service);
  await fleet.start();
});
afterAll(async () => {
  fleet.stop();
  await fixture.stop();
});

const setScopes = (id: number, body: object) => fixture.send('PUT', `${id}/scopes`, fixture.ada, body);
const READING = { scopes: ['telemetry:write', 'fleet:read'] };

async function readingKey(allWorkspaces = false): Promise<ApiKey> {
  const key = await fixture.create();
  await setScopes(key.id, { ...READING, all_workspaces: allWorkspaces });
  return key;
}

async function tokenOf(key: { id: number; key: string }): Promise<string> {
  const response = await exchangeKey(fixture.service, key);
  expect(response.status).toBe(200);
  const { access_token: token } = (await response.json()) as KeyToken;
  expect(await fleet.verify(token)).not.toBeNull();
  return token;
}

const isRejected = (token: string) =>
  fixture.service.within2Seconds(async () => (await fleet.verify(token)) === null);

/** Waits until another transaction waits for this one. */
const isAwaited = (transaction: Queryable) =>
  fixture.service.within2Seconds(async () => {
    const text = 'SELECT FROM pg_locks WHERE NOT granted AND transactionid = pg_current_xact_id()::xid';
    return (await transaction.query({ text })).length > 0;
  });

test.each<[string, (key: ApiKey) => Promise<unknown>]>([
  ['rotating the key', ({ id }) => fixture.send('POST', `${id}/rotate`, fixture.ada)],
  ['deleting the key', ({ id }) => fixture.send('DELETE', String(id), fixture.ada)],
  ['narrowing its scopes', ({ id }) => setScopes(id, { scopes: ['telemetry:write'] })],
  [
    'a revocation by an operator',
    ({ id }) => fixture.service.run('keys', 'revoke', String(id), 'fleet:read'),
  ],
  ['disabling the key', ({ id }) => fixture.service.run('keys', 'disable', String(id))],
  ['a deletion by an operator', ({ id }) => fixture.service.run('keys', 'delete', String(id), '--yes')],
])('%s cuts its tokens within 2 s, and the old secret issues none', async (_, end) => {
  const [key, other] = [await readingKey(), await readingKey()];
  const [token, otherToken] = [await tokenOf(key), await tokenOf(other)];
  await end(key);
  await isRejected(token);
  expect((await exchangeKey(fixture.service, key)).status).not.toBe(200);
  expect(await fleet.verify(otherToken)).not.toBeNull();
});

test.each<[string, (key: ApiKey) => Promise<unknown>]>([
  ['a deletion', ({ id }) => fixture.send('DELETE', String(id), fixture.ada)],
  ['disabling by an operator', ({ id }) => fixture.service.run('keys', 'disable', String(id))],
])('%s waits for a grant that is not yet committed, and cuts the tokens issued since', async (_, end) => {
  const { asOwner } = fixture.service.database;
  const key = await fixture.create();
  const session = `SELECT token_session_id AS id FROM account.api_keys WHERE id = $1`;
  const [before] = await asOwner.query<{ id: string }>({ text: session, values: [key.id] });
  const { ended } = await asOwner.transaction(async (transaction) => {
    await transaction.query({
      text: `UPDATE account.api_keys SET read_access = 'workspace' WHERE id = $1`,
      values: [key.id],
    });
    const ending = end(key);
    await isAwaited(transaction);
    return { ended: ending };
  });
  await ended;
  const revoked = `SELECT FROM account.revocations WHERE kind = 'session' AND subject_id = $1`;
  expect(await asOwner.query({ text: revoked, values: [before?.id] })).toHaveLength(1);
});

test('a narrower access cuts the tokens with the wider one; a wider access cuts none', async () => {
  const key = await readingKey(true);
  const wide = await tokenOf(key);
  await setScopes(key.id, READING);
  await isRejected(wide);
  const narrow = await tokenOf(key);
  await setScopes(key.id, { ...READING, all_workspaces: true });
  expect((await fleet.verify(await tokenOf(key)))?.access).toEqual([
    { customer_id: 1, workspace_ids: 'all' },
  ]);
  expect(await fleet.verify(narrow)).not.toBeNull();
});

test('the rotated and the enabled key issue tokens that are valid at once', async () => {
  const key = await readingKey();
  await tokenOf(key);
  await tokenOf(await keyOf(await fixture.send('POST', `${key.id}/rotate`, fixture.ada)));
  const disabled = await readingKey();
  await fixture.service.run('keys', 'disable', String(disabled.id));
  await fixture.service.run('keys', 'enable', String(disabled.id));
  await tokenOf(disabled);
});

describe('a disabled customer', () => {
  let key: ApiKey;
  // The tests end the sessions of its users.
  beforeAll(async () => {
    key = await readingKey();
  });

  test('cuts the tokens of its keys; when enabled, they get new ones at once', async () => {
    const token = await tokenOf(key);
    await fixture.service.run('customers', 'disable', 'acme', '--yes');
    await isRejected(token);
    expect((await exchangeKey(fixture.service, key)).status).toBe(401);
    await fixture.service.run('customers', 'enable', 'acme');
    await tokenOf(key);
    expect(await fleet.verify(token)).toBeNull();
  });

  test('leaves a token valid that is issued after it, within the same second', async () => {
    const { access_token: session } = await fixture.service.session('ada@acme.example');
    expect(await fleet.verify(session)).not.toBeNull();
    await fixture.service.database.asOwner.transaction((transaction) =>
      endSessions(transaction, { customerId: 1 }, 'customer disabled'),
    );
    const token = await tokenOf(key);
    // The verifier has read the revocation.
    await isRejected(session);
    expect(await fleet.verify(token)).not.toBeNull();
  });
});

import { type ApiKey, keyOf, ServiceWithKeys, TIMESTAMP, UUID_V4 } from '../../support/service-with-keys.ts';

const NOT_FOUND = {
  title: 'Not Found',
  detail: 'The key does not exist in your workspaces; GET /api/v1/keys/ lists your keys.',
};

let fixture: ServiceWithKeys;

beforeAll(async () => {
  fixture = await ServiceWithKeys.start();
});

afterAll(() => fixture.stop());

describe('POST /keys/{key_id}/rotate', () => {
  test('returns a new secret and keeps the other fields', async () => {
    const before = await fixture.create(fixture.alan);
    const response = await fixture.send('POST', `${before.id}/rotate`, fixture.alan);
    expect(response.status).toBe(200);
    expect(response.headers.get('cache-control')).toBe('no-store');
    const body = (await response.json()) as { api_key: ApiKey; message: string };
    expect(body).toEqual({
      api_key: {
        ...before,
        key: expect.stringMatching(UUID_V4),
        updated_at: expect.stringMatching(TIMESTAMP),
      },
      message: expect.stringMatching(/^The key has a new secret/),
    });
    expect(body.api_key.key).not.toBe(before.key);
  });

  test('100 concurrent rotations leave one key with one valid secret', async () => {
    const { id, key: first } = await fixture.create(fixture.ada);
    const responses = await Promise.all(
      Array.from({ length: 100 }, () => fixture.send('POST', `${id}/rotate`, fixture.ada)),
    );
    expect(responses.map(({ status }) => status)).toEqual(Array(100).fill(200));
    const rotated = await Promise.all(responses.map(keyOf));
    expect(new Set(rotated.map((each) => each.id))).toEqual(new Set([id]));
    expect(new Set(rotated.map((each) => each.key)).size).toBe(100);
    const valid = await fixture.service.database.asOwner.query<{ id: number }>({
      text: `SELECT id FROM account.api_keys
              WHERE secret_hash IN (SELECT sha256(convert_to(secret, 'UTF8')) FROM unnest($1::text[]) AS secret)`,
      values: [[first, ...rotated.map((each) => each.key)]],
    });
    expect(valid).toEqual([{ id }]);
  });
});

describe('DELETE /keys/{key_id}', () => {
  test('deletes the key; a second request responds with 404', async () => {
    const { id } = await fixture.create(fixture.alan);
    const response = await fixture.send('DELETE', String(id), fixture.alan);
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ message: 'The key was deleted.' });
    expect((await fixture.list(fixture.alan)).map((each) => each.id)).not.toContain(id);
    const again = await fixture.send('DELETE', String(id), fixture.alan);
    expect(again.status).toBe(404);
    expect(await again.json()).toEqual(NOT_FOUND);
  });
});

describe.each([
  ['POST', '/rotate'],
  ['DELETE', ''],
])('%s /keys/{key_id}%s', (method, suffix) => {
  test('denies viewers', async () => {
    const { id } = await fixture.create(fixture.ada, 1);
    expect((await fixture.send(method, `${id}${suffix}`, fixture.vera)).status).toBe(403);
    expect((await fixture.list(fixture.ada)).map((each) => each.id)).toContain(id);
  });

  test('returns the same 404 for a foreign and a missing key', async () => {
    const { id } = await fixture.create(fixture.ada, 2);
    for (const [token, keyId] of [
      [fixture.grace, id],
      [fixture.alan, id],
      [fixture.vera, id],
      [fixture.ada, 999_999],
      [fixture.ada, 2 ** 31],
      [fixture.ada, '9'.repeat(400)],
    ] as const) {
      const response = await fixture.send(method, `${keyId}${suffix}`, token);
      expect(response.status).toBe(404);
      expect(await response.json()).toEqual(NOT_FOUND);
    }
  });

  test.each(['0', '-1', '1.5', '1e3', '0x10', '+1', '01', 'x', '%201'])('rejects the id %s', async (id) => {
    const response = await fixture.send(method, `${id}${suffix}`, fixture.ada);
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({
      title: 'Invalid Request',
      detail: `key_id must be an integer from 1, got "${decodeURIComponent(id)}".`,
    });
  });
});

test('applies a changed role immediately to an existing token', async () => {
  const { id } = await fixture.create(fixture.alan);
  const change = (role: string) =>
    fixture.service.database.asOwner.query({
      text: `UPDATE account.workspace_members SET role = $1
              WHERE user_id = (SELECT id FROM account.users WHERE email = 'alan@acme.example')`,
      values: [role],
    });
  await change('viewer');
  expect((await fixture.send('DELETE', String(id), fixture.alan)).status).toBe(403);
  await change('member');
  expect((await fixture.send('DELETE', String(id), fixture.alan)).status).toBe(200);
});

test('audits every write without the secret', async () => {
  const { id, key } = await fixture.create(fixture.ada);
  const { key: rotated } = await keyOf(await fixture.send('POST', `${id}/rotate`, fixture.ada));
  await fixture.send('DELETE', String(id), fixture.ada);
  const rows = await fixture.service.database.asOwner.query<{ action: string }>({
    text: `SELECT action, actor, customer_id, user_id, network, detail FROM account.audit_events
            WHERE detail->>'api_key' = $1 ORDER BY id`,
    values: [String(id)],
  });
  expect(rows).toEqual(
    ['api_key_created', 'api_key_rotated', 'api_key_deleted'].map((action) => ({
      action,
      actor: 'user:1',
      customer_id: 1,
      user_id: 1,
      network: '127.0.0.1',
      detail: { api_key: id, workspace: 1 },
    })),
  );
  for (const secret of [key, rotated]) expect(JSON.stringify(rows)).not.toContain(secret);
});

test.each([
  ['create', (token: string) => fixture.send('POST', '', token, { name: 'rack', workspace_id: 1 }), 403],
  ['create', (token: string) => fixture.send('POST', '', token, { name: 'rack', workspace_id: 999 }), 404],
  ['rotate', (token: string) => fixture.send('POST', '999999/rotate', token), 404],
  ['delete', (token: string) => fixture.send('DELETE', '999999', token), 404],
])('audits a denied attempt: %s', async (attempt, send, status) => {
  const lastDenial = () =>
    fixture.service.database.asOwner.query<{ id: number }>({
      text: `SELECT id, actor, customer_id, user_id, network, detail FROM account.audit_events
              WHERE action = 'api_key_denied' ORDER BY id DESC LIMIT 1`,
    });
  const [before] = await lastDenial();
  expect((await send(fixture.vera)).status).toBe(status);
  const [denial] = await lastDenial();
  expect(denial?.id).not.toBe(before?.id);
  expect(denial).toMatchObject({
    actor: 'user:3',
    customer_id: 1,
    user_id: 3,
    network: '127.0.0.1',
    detail: { attempt, reason: status === 403 ? 'Forbidden' : 'Not Found' },
  });
});

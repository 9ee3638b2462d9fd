import { type ApiKey, keyOf, ServiceWithKeys, TIMESTAMP, UUID_V4 } from '../../support/service-with-keys.ts';

const GONE = {
  title: 'Not Found',
  detail: 'There is no such key in a workspace of yours; GET /api/v1/keys/ lists those there are.',
};

let place: ServiceWithKeys;
let ada: string;
let alan: string;
let vera: string;
let grace: string;

beforeAll(async () => {
  place = await ServiceWithKeys.start();
  ({ ada, alan, vera, grace } = place);
});

afterAll(() => place.stop());

describe('POST /keys/{key_id}/rotate', () => {
  test('gives a new secret, and keeps the rest', async () => {
    const before = await place.create(alan);
    const answer = await place.send('POST', `${before.id}/rotate`, alan);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const body = (await answer.json()) as { api_key: ApiKey; message: string };
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

  test('100 at once leave one key with one secret, the one that was given last', async () => {
    const { id, key: first } = await place.create(ada);
    const answers = await Promise.all(
      Array.from({ length: 100 }, () => place.send('POST', `${id}/rotate`, ada)),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(100).fill(200));
    const rotated = await Promise.all(answers.map(keyOf));
    expect(new Set(rotated.map((each) => each.id))).toEqual(new Set([id]));
    expect(new Set(rotated.map((each) => each.key)).size).toBe(100);
    const living = await place.service.database.asOwner.query<{ id: number }>({
      text: `SELECT id FROM account.api_keys
              WHERE secret_hash IN (SELECT sha256(convert_to(secret, 'UTF8')) FROM unnest($1::text[]) AS secret)`,
      values: [[first, ...rotated.map((each) => each.key)]],
    });
    expect(living).toEqual([{ id }]);
  });
});

describe('DELETE /keys/{key_id}', () => {
  test('removes the key; a second time there is none', async () => {
    const { id } = await place.create(alan);
    const answer = await place.send('DELETE', String(id), alan);
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual({ message: 'The key was deleted.' });
    expect((await place.list(alan)).map((each) => each.id)).not.toContain(id);
    const again = await place.send('DELETE', String(id), alan);
    expect(again.status).toBe(404);
    expect(await again.json()).toEqual(GONE);
  });
});

describe.each([
  ['POST', '/rotate'],
  ['DELETE', ''],
])('%s /keys/{key_id}%s', (method, suffix) => {
  test('is not for viewers', async () => {
    const { id } = await place.create(ada, 1);
    expect((await place.send(method, `${id}${suffix}`, vera)).status).toBe(403);
    expect((await place.list(ada)).map((each) => each.id)).toContain(id);
  });

  test('answers alike for a key that is foreign, not the caller’s, or not there', async () => {
    const { id } = await place.create(ada, 2);
    for (const [token, keyId] of [
      [grace, id],
      [alan, id],
      [vera, id],
      [ada, 999_999],
      [ada, 2 ** 31],
      [ada, '9'.repeat(400)],
    ] as const) {
      const answer = await place.send(method, `${keyId}${suffix}`, token);
      expect(answer.status).toBe(404);
      expect(await answer.json()).toEqual(GONE);
    }
  });

  test.each(['0', '-1', '1.5', '1e3', '0x10', '+1', '01', 'x', '%201'])('refuses the id %s', async (id) => {
    const answer = await place.send(method, `${id}${suffix}`, ada);
    expect(answer.status).toBe(400);
    expect(await answer.json()).toEqual({
      title: 'Invalid Request',
      detail: 'key_id must be an integer, 1 or more.',
    });
  });
});

test('a role that was taken away counts at once, although the token lives', async () => {
  const { id } = await place.create(alan);
  const change = (role: string) =>
    place.service.database.asOwner.query({
      text: `UPDATE account.workspace_members SET role = $1
              WHERE user_id = (SELECT id FROM account.users WHERE email = 'alan@acme.example')`,
      values: [role],
    });
  await change('viewer');
  expect((await place.send('DELETE', String(id), alan)).status).toBe(403);
  await change('member');
  expect((await place.send('DELETE', String(id), alan)).status).toBe(200);
});

test('each write is in the audit, without the secret', async () => {
  const { id, key } = await place.create(ada);
  const { key: rotated } = await keyOf(await place.send('POST', `${id}/rotate`, ada));
  await place.send('DELETE', String(id), ada);
  const rows = await place.service.database.asOwner.query<{ action: string }>({
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

test('needs a token', async () => {
  for (const [method, path] of [
    ['GET', ''],
    ['POST', ''],
    ['POST', '1/rotate'],
    ['DELETE', '1'],
  ] as const) {
    const answer = await fetch(`${place.service.url}/api/v1/keys/${path}`, { method });
    expect(answer.status).toBe(401);
  }
});

import { RunningAccountService } from '../../support/running-account-service.ts';

interface ApiKey {
  id: number;
  key: string;
  updated_at: string;
  [field: string]: unknown;
}

const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const GONE = {
  title: 'Not Found',
  detail: 'There is no such key in a workspace of yours; GET /api/v1/keys/ lists those there are.',
};

let service: RunningAccountService;
/** Ada administrates acme, Alan is a member of its research workspace and Vera a viewer; Grace is at globex. */
let ada: string;
let alan: string;
let vera: string;
let grace: string;

beforeAll(async () => {
  service = await RunningAccountService.start();
  ada = (await service.session('ada@acme.example')).access_token;
  alan = (await service.session('alan@acme.example')).access_token;
  vera = (await service.session('vera@acme.example')).access_token;
  grace = (await service.session('grace@globex.example')).access_token;
  await service.database.asOwner.query({
    text: `UPDATE account.workspace_members SET role = 'member'
            WHERE user_id = (SELECT id FROM account.users WHERE email = 'alan@acme.example')`,
  });
});

afterAll(() => service.stop());

const send = (method: string, path: string, token: string, body?: unknown) =>
  fetch(`${service.url}/api/v1/keys/${path}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
const keyOf = async (answer: Response) => ((await answer.json()) as { api_key: ApiKey }).api_key;
const create = async (token = ada, workspaceId = 1) =>
  keyOf(await send('POST', '', token, { name: 'rack', workspace_id: workspaceId }));
const list = async (token: string) =>
  ((await (await send('GET', '', token)).json()) as { api_keys: ApiKey[] }).api_keys;

describe('POST /keys/', () => {
  test('makes a key and shows its secret once', async () => {
    const answer = await send('POST', '', ada, {
      name: 'rack 12',
      description: 'left aisle',
      workspace_id: 2,
      expires_at: '2099-12-31T23:00:00+01:00',
    });
    expect(answer.status).toBe(201);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const body = (await answer.json()) as { api_key: ApiKey };
    expect(body).toEqual({
      api_key: {
        id: expect.any(Number),
        name: 'rack 12',
        key: expect.stringMatching(UUID_V4),
        description: 'left aisle',
        workspace_id: 2,
        workspace_name: 'Production',
        customer_id: 1,
        is_active: true,
        expires_at: '2099-12-31T22:00:00.000Z',
        last_used_at: '',
        created_at: expect.stringMatching(TIMESTAMP),
        updated_at: expect.stringMatching(TIMESTAMP),
      },
      message: 'The key was made. Copy it now: it is not shown again.',
    });
    const { key, id } = body.api_key;
    expect((await list(ada)).find((each) => each.id === id)).toEqual({
      ...body.api_key,
      key: `********-****-****-****-********${key.slice(-4)}`,
    });
  });

  test('name and workspace are enough', async () => {
    expect(await create(alan)).toMatchObject({ description: '', expires_at: '', workspace_id: 1 });
  });

  test.each<[unknown, string]>([
    [undefined, 'Send a JSON object as the body.'],
    [[{ name: 'x', workspace_id: 1 }], 'Send a JSON object as the body.'],
    [{ workspace_id: 1, name: '' }, 'name must have 1 to 100 characters. name must not be blank.'],
    [{ workspace_id: 1, name: '  ' }, 'name must not be blank.'],
    [{ workspace_id: 1, name: 'x'.repeat(101) }, 'name must have 1 to 100 characters.'],
    [{ workspace_id: 1, name: 7 }, 'name must be a string.'],
    [{ workspace_id: 1, name: 'x\0' }, 'NUL'],
    [{ name: 'x' }, 'workspace_id must be an integer, the id of a workspace of yours.'],
    [{ name: 'x', workspace_id: '1' }, 'workspace_id must be an integer'],
    [{ name: 'x', workspace_id: 1.5 }, 'workspace_id must be an integer'],
    [{ name: 'x', workspace_id: 0 }, 'workspace_id must be 1 or more.'],
    [{ name: 'x', workspace_id: null }, 'workspace_id must be an integer'],
    [
      { name: 'x', workspace_id: 1, description: 'x'.repeat(1001) },
      'description must have 1000 characters at most.',
    ],
    [{ name: 'x', workspace_id: 1, description: null }, 'description must be a string.'],
    [{ name: 'x', workspace_id: 1, expires_at: '2020-01-01T00:00:00Z' }, 'in the future'],
    [{ name: 'x', workspace_id: 1, expires_at: '2099-01-01' }, 'expires_at must be an RFC 3339 timestamp'],
    [{ name: 'x', workspace_id: 1, expires_at: 4102444800 }, 'expires_at must be an RFC 3339 timestamp'],
    [{ name: 'x', workspace_id: 1, expires_at: null }, 'expires_at must be an RFC 3339 timestamp'],
    [{ name: 'x', workspace_id: 1, scopes: ['contact:write'] }, 'scopes is not known here; leave it out.'],
    [{ name: 'x', workspace_id: 1, customer_id: 2 }, 'customer_id is not known here; leave it out.'],
  ])('refuses the body %j', async (body, detail) => {
    const answer = await send('POST', '', ada, body);
    expect(answer.status).toBe(400);
    expect(await answer.json()).toEqual({
      title: 'Invalid Request',
      detail: expect.stringContaining(detail),
    });
  });

  test('is not for viewers', async () => {
    const answer = await send('POST', '', vera, { name: 'x', workspace_id: 1 });
    expect(answer.status).toBe(403);
    expect(await answer.json()).toEqual({
      title: 'Forbidden',
      detail:
        'Viewers of a workspace may list its keys; to make, rotate or delete one, be its owner or member.',
    });
  });

  test('answers alike for a workspace that is foreign, not the caller’s, or not there', async () => {
    for (const [token, workspaceId] of [
      [grace, 1],
      [alan, 2],
      [ada, 3],
      [ada, 999],
      [ada, 2 ** 31],
      [ada, 1e300],
    ] as const) {
      const answer = await send('POST', '', token, { name: 'x', workspace_id: workspaceId });
      expect(answer.status).toBe(404);
      expect(await answer.json()).toEqual({
        title: 'Not Found',
        detail: 'There is no such workspace of yours; GET /api/v1/workspaces/ lists those there are.',
      });
    }
  });
});

describe('GET /keys/', () => {
  test('lists the keys of the caller’s workspaces alone, and viewers may', async () => {
    const inResearch = await create(ada, 1);
    const inProduction = await create(ada, 2);
    const ids = async (token: string) => (await list(token)).map(({ id }) => id);
    expect(await ids(ada)).toEqual(expect.arrayContaining([inResearch.id, inProduction.id]));
    for (const token of [alan, vera]) {
      expect(await ids(token)).toContain(inResearch.id);
      expect(await ids(token)).not.toContain(inProduction.id);
    }
    expect(await list(grace)).toEqual([]);
  });

  test('says that an expired key is not active', async () => {
    const answer = await send('POST', '', alan, {
      name: 'short',
      workspace_id: 1,
      expires_at: new Date(Date.now() + 3_600_000).toISOString(),
    });
    const { id } = await keyOf(answer);
    service.clock.moveOn(3_601);
    expect((await list(alan)).find((each) => each.id === id)).toMatchObject({ is_active: false });
    service.clock.moveOn(-3_601);
  });
});

describe('POST /keys/{key_id}/rotate', () => {
  test('gives a new secret, and keeps the rest', async () => {
    const before = await create(alan);
    const answer = await send('POST', `${before.id}/rotate`, alan);
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
    const { id, key: first } = await create(ada);
    const answers = await Promise.all(Array.from({ length: 100 }, () => send('POST', `${id}/rotate`, ada)));
    expect(answers.map(({ status }) => status)).toEqual(Array(100).fill(200));
    const rotated = await Promise.all(answers.map(keyOf));
    expect(new Set(rotated.map((each) => each.id))).toEqual(new Set([id]));
    expect(new Set(rotated.map((each) => each.key)).size).toBe(100);
    const living = await service.database.asOwner.query<{ id: number }>({
      text: `SELECT id FROM account.api_keys
              WHERE secret_hash IN (SELECT sha256(convert_to(secret, 'UTF8')) FROM unnest($1::text[]) AS secret)`,
      values: [[first, ...rotated.map((each) => each.key)]],
    });
    expect(living).toEqual([{ id }]);
  });
});

describe('DELETE /keys/{key_id}', () => {
  test('removes the key; a second time there is none', async () => {
    const { id } = await create(alan);
    const answer = await send('DELETE', String(id), alan);
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual({ message: 'The key was deleted.' });
    expect((await list(alan)).map((each) => each.id)).not.toContain(id);
    const again = await send('DELETE', String(id), alan);
    expect(again.status).toBe(404);
    expect(await again.json()).toEqual(GONE);
  });
});

describe.each([
  ['POST', '/rotate'],
  ['DELETE', ''],
])('%s /keys/{key_id}%s', (method, suffix) => {
  test('is not for viewers', async () => {
    const { id } = await create(ada, 1);
    expect((await send(method, `${id}${suffix}`, vera)).status).toBe(403);
    expect((await list(ada)).map((each) => each.id)).toContain(id);
  });

  test('answers alike for a key that is foreign, not the caller’s, or not there', async () => {
    const { id } = await create(ada, 2);
    for (const [token, keyId] of [
      [grace, id],
      [alan, id],
      [vera, id],
      [ada, 999_999],
      [ada, 2 ** 31],
      [ada, '9'.repeat(400)],
    ] as const) {
      const answer = await send(method, `${keyId}${suffix}`, token);
      expect(answer.status).toBe(404);
      expect(await answer.json()).toEqual(GONE);
    }
  });

  test.each(['0', '-1', '1.5', '1e3', '0x10', '+1', '01', 'x', '%201'])('refuses the id %s', async (id) => {
    const answer = await send(method, `${id}${suffix}`, ada);
    expect(answer.status).toBe(400);
    expect(await answer.json()).toEqual({
      title: 'Invalid Request',
      detail: 'key_id must be an integer, 1 or more.',
    });
  });
});

test('a role that was taken away counts at once, although the token lives', async () => {
  const { id } = await create(alan);
  const change = (role: string) =>
    service.database.asOwner.query({
      text: `UPDATE account.workspace_members SET role = $1
              WHERE user_id = (SELECT id FROM account.users WHERE email = 'alan@acme.example')`,
      values: [role],
    });
  await change('viewer');
  expect((await send('DELETE', String(id), alan)).status).toBe(403);
  await change('member');
  expect((await send('DELETE', String(id), alan)).status).toBe(200);
});

test('each write is in the audit, without the secret', async () => {
  const { id, key } = await create(ada);
  const { key: rotated } = await keyOf(await send('POST', `${id}/rotate`, ada));
  await send('DELETE', String(id), ada);
  const rows = await service.database.asOwner.query<{ action: string }>({
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
    const answer = await fetch(`${service.url}/api/v1/keys/${path}`, { method });
    expect(answer.status).toBe(401);
  }
});

import { type ApiKey, keyOf, ServiceWithKeys, TIMESTAMP, UUID_V4 } from '../../support/service-with-keys.ts';

let fixture: ServiceWithKeys;

beforeAll(async () => {
  fixture = await ServiceWithKeys.start();
});

afterAll(() => fixture.stop());

describe('POST /keys/', () => {
  test('creates a key and returns its secret once', async () => {
    const response = await fixture.send('POST', '', fixture.ada, {
      name: 'rack 12',
      description: 'left aisle\nsecond row',
      workspace_id: 2,
      expires_at: '2099-12-31T23:00:00+01:00',
    });
    expect(response.status).toBe(201);
    expect(response.headers.get('cache-control')).toBe('no-store');
    const body = (await response.json()) as { api_key: ApiKey };
    expect(body).toEqual({
      api_key: {
        id: expect.any(Number),
        name: 'rack 12',
        key: expect.stringMatching(UUID_V4),
        description: 'left aisle\nsecond row',
        workspace_id: 2,
        workspace_name: 'Production',
        customer_id: 1,
        is_active: true,
        expires_at: '2099-12-31T22:00:00.000Z',
        last_used_at: '',
        created_at: expect.stringMatching(TIMESTAMP),
        updated_at: expect.stringMatching(TIMESTAMP),
      },
      message: 'The key was created. Copy it now: it is not shown again.',
    });
    const { key, id } = body.api_key;
    expect((await fixture.list(fixture.ada)).find((each) => each.id === id)).toEqual({
      ...body.api_key,
      key: `********-****-****-****-********${key.slice(-4)}`,
    });
  });

  test('requires only name and workspace', async () => {
    expect(await fixture.create(fixture.alan)).toMatchObject({
      description: '',
      expires_at: '',
      workspace_id: 1,
    });
  });

  test.each<[unknown, string]>([
    [undefined, 'Send a JSON object as the body.'],
    [[{ name: 'x', workspace_id: 1 }], 'Send a JSON object as the body.'],
    [{ workspace_id: 1, name: '' }, 'name must have 1 to 100 characters.'],
    [{ workspace_id: 1, name: '  ' }, 'name must not be blank.'],
    [{ workspace_id: 1, name: 'x'.repeat(101) }, 'name must have 1 to 100 characters.'],
    [{ workspace_id: 1, name: 7 }, 'name must be a string.'],
    [{ workspace_id: 1, name: 'x\0' }, 'NUL'],
    [
      { workspace_id: 1, name: 'rack\r\n12' },
      'name must be one line without control or bidirectional formatting characters, got U+000D.',
    ],
    [{ workspace_id: 1, name: 'rack\u202e21' }, 'name must be one line'],
    [{ workspace_id: 1, name: 'rack\u2028' }, 'got U+2028.'],
    [{ name: 'x' }, 'workspace_id must be an integer, the id of one of your workspaces.'],
    [{ name: 'x', workspace_id: '1' }, 'workspace_id must be an integer'],
    [{ name: 'x', workspace_id: 1.5 }, 'workspace_id must be an integer'],
    [{ name: 'x', workspace_id: 0 }, 'workspace_id must be 1 or more.'],
    [{ name: 'x', workspace_id: null }, 'workspace_id must be an integer'],
    [
      { name: 'x', workspace_id: 1, description: 'x'.repeat(1001) },
      'description must have at most 1000 characters.',
    ],
    [{ name: 'x', workspace_id: 1, description: null }, 'description must be a string.'],
    [{ name: 'x', workspace_id: 1, expires_at: '2020-01-01T00:00:00Z' }, 'in the future'],
    [{ name: 'x', workspace_id: 1, expires_at: '2099-01-01' }, 'expires_at must be an RFC 3339 timestamp'],
    [{ name: 'x', workspace_id: 1, expires_at: 4102444800 }, 'expires_at must be an RFC 3339 timestamp'],
    [{ name: 'x', workspace_id: 1, expires_at: null }, 'expires_at must be an RFC 3339 timestamp'],
    [{ name: 'x', workspace_id: 1, scopes: ['contact:write'] }, 'scopes is not accepted.'],
    [{ name: 'x', workspace_id: 1, customer_id: 2 }, 'customer_id is not accepted.'],
    [{ name: 'x', workspace_id: 1, toString: 1 }, 'toString is not accepted.'],
  ])('rejects the body %j', async (body, detail) => {
    const response = await fixture.send('POST', '', fixture.ada, body);
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({
      title: 'Invalid Request',
      detail: expect.stringContaining(detail),
    });
  });

  const HEART = '❤\ufe0f';
  test.each<[string, object, boolean]>([
    ['a name of 100 emoji', { name: '😀'.repeat(100) }, true],
    ['a name of 101 emoji', { name: '😀'.repeat(101) }, false],
    ['a name of 50 hearts', { name: HEART.repeat(50) }, true],
    ['a name of 50 hearts and a letter', { name: `${HEART.repeat(50)}x` }, false],
    ['a name of 100 hearts', { name: HEART.repeat(100) }, false],
    ['a description of 500 hearts', { description: HEART.repeat(500) }, true],
    ['a description of 500 hearts and a letter', { description: `${HEART.repeat(500)}x` }, false],
    ['an empty description', { description: '' }, true],
  ])('counts code points, two of a heart with its variation selector: %s', async (_, fields, fits) => {
    const response = await fixture.send('POST', '', fixture.ada, { name: 'x', workspace_id: 1, ...fields });
    expect(response.status).toBe(fits ? 201 : 400);
  });

  test('denies viewers', async () => {
    const response = await fixture.send('POST', '', fixture.vera, { name: 'x', workspace_id: 1 });
    expect(response.status).toBe(403);
    expect(await response.json()).toEqual({
      title: 'Forbidden',
      detail:
        'Viewers of a workspace can only list its keys; creating, rotating or deleting one needs the owner or member role, ' +
        'and changing its scopes the owner role.',
    });
  });

  test('returns the same 404 for a foreign and a missing workspace', async () => {
    for (const [token, workspaceId] of [
      [fixture.grace, 1],
      [fixture.alan, 2],
      [fixture.ada, 3],
      [fixture.ada, 999],
      [fixture.ada, 2 ** 31],
      [fixture.ada, 1e300],
    ] as const) {
      const response = await fixture.send('POST', '', token, { name: 'x', workspace_id: workspaceId });
      expect(response.status).toBe(404);
      expect(await response.json()).toEqual({
        title: 'Not Found',
        detail:
          'The workspace does not exist or is not yours; GET /api/v1/workspaces/ lists your workspaces.',
      });
    }
  });
});

describe('GET /keys/', () => {
  test('lists the keys of the caller’s workspaces, also for viewers', async () => {
    const inResearch = await fixture.create(fixture.ada, 1);
    const inProduction = await fixture.create(fixture.ada, 2);
    const ids = async (token: string) => (await fixture.list(token)).map(({ id }) => id);
    expect(await ids(fixture.ada)).toEqual(expect.arrayContaining([inResearch.id, inProduction.id]));
    for (const token of [fixture.alan, fixture.vera]) {
      expect(await ids(token)).toContain(inResearch.id);
      expect(await ids(token)).not.toContain(inProduction.id);
    }
    expect(await fixture.list(fixture.grace)).toEqual([]);
  });

  test('reports an expired key as inactive', async () => {
    const response = await fixture.send('POST', '', fixture.alan, {
      name: 'short',
      workspace_id: 1,
      expires_at: new Date(Date.now() + 3_600_000).toISOString(),
    });
    const { id } = await keyOf(response);
    await fixture.service.clock.advance(3_601);
    expect((await fixture.list(fixture.alan)).find((each) => each.id === id)).toMatchObject({
      is_active: false,
    });
    await fixture.service.clock.advance(-3_601);
  });
});

describe('pages of GET /keys/', () => {
  const page = async (query: string, token = fixture.ada) => {
    const response = await fixture.send('GET', query, token);
    return { status: response.status, body: (await response.json()) as Page };
  };
  interface Page {
    api_keys: ApiKey[];
    next_page_token?: string;
  }

  test('return every key once, in the order of the complete list', async () => {
    await Promise.all([
      fixture.create(fixture.ada, 1),
      fixture.create(fixture.ada, 2),
      fixture.create(fixture.ada, 1),
    ]);
    const all = await fixture.list(fixture.ada);
    const paged: ApiKey[] = [];
    let token: string | undefined;
    do {
      const { body } = await page(`?page_size=2${token === undefined ? '' : `&page_token=${token}`}`);
      expect(body.api_keys.length).toBeLessThanOrEqual(2);
      paged.push(...body.api_keys);
      token = body.next_page_token;
    } while (token !== undefined);
    expect(paged).toEqual(all);
  });

  test('omit next_page_token on a last page that is full, and without page_size', async () => {
    const { length } = await fixture.list(fixture.ada);
    const full = await page(`?page_size=${length}`);
    expect(full.body.api_keys).toHaveLength(length);
    expect(full.body).not.toHaveProperty('next_page_token');
    const { body } = await page('?page_size=1');
    const rest = await page(`?page_token=${body.next_page_token}`);
    expect(rest.body.api_keys).toHaveLength(length - 1);
    expect(rest.body).not.toHaveProperty('next_page_token');
  });

  test('neither repeat nor skip keys when keys of earlier pages are deleted', async () => {
    const { body } = await page('?page_size=2');
    const [first] = body.api_keys as [ApiKey];
    const expected = (await fixture.list(fixture.ada)).slice(2);
    expect((await fixture.send('DELETE', String(first.id), fixture.ada)).status).toBe(200);
    expect((await page(`?page_token=${body.next_page_token}`)).body.api_keys).toEqual(expected);
  });

  test('give access to the keys of the caller only, also with the token of another user', async () => {
    const { body } = await page('?page_size=1');
    expect((await page(`?page_token=${body.next_page_token}`, fixture.grace)).body.api_keys).toEqual([]);
  });

  test.each([
    ['page_size=0', 'page_size must be one integer from 1 to 1000, got "0".'],
    ['page_size=1001', 'got "1001".'],
    ['page_size=1e2', 'got "1e2".'],
    ['page_size=', 'got "".'],
    [`page_size=${'9'.repeat(200)}`, `got "${'9'.repeat(99)}….`],
    ['page_size=1&page_size=2', 'page_size must be one integer'],
    ['page_token=', 'page_token must be the next_page_token of a previous page, unchanged.'],
    ['page_token=MQ', 'page_token must be'],
    ['page_token=azE6MA', 'page_token must be'],
    ['page_token=azE6OTk5OTk5OTk5OTk', 'page_token must be'],
    ['page_token=azE6MQ%3D%3D', 'page_token must be'],
    ['page_token=azE6MQ&page_token=azE6MQ', 'page_token must be'],
    ['limit=2', 'limit is not accepted. Accepted: page_size, page_token.'],
  ])('reject ?%s', async (query, detail) => {
    const { status, body } = await page(`?${query}`);
    expect(status).toBe(400);
    expect(body).toEqual({ title: 'Invalid Request', detail: expect.stringContaining(detail) });
  });
});

describe('a workspace with almost 500 keys', () => {
  const create = () => fixture.send('POST', '', fixture.ada, { name: 'x', workspace_id: 2 });
  const count = async () =>
    (await fixture.list(fixture.ada)).filter(({ workspace_id: id }) => id === 2).length;

  beforeAll(() =>
    fixture.service.database.asOwner.query({
      text: `INSERT INTO account.api_keys
               (workspace_id, name, secret_hash, secret_ending, token_session_id, created_by, created_at, updated_at)
             SELECT 2, 'bulk', sha256(number::text::bytea), '0000', gen_random_uuid(), 1, now(), now()
               FROM generate_series(
                      (SELECT count(*) + 1 FROM account.api_keys WHERE workspace_id = 2), 497) AS number`,
    }),
  );
  afterAll(() =>
    fixture.service.database.asOwner.query({ text: `DELETE FROM account.api_keys WHERE name = 'bulk'` }),
  );

  test('accepts 500, also with concurrent requests, and reports the next one as a conflict', async () => {
    const responses = await Promise.all(Array.from({ length: 6 }, create));
    expect(responses.map(({ status }) => status).sort()).toEqual([
      ...Array(3).fill(201),
      ...Array(3).fill(409),
    ]);
    expect(await count()).toBe(500);
    expect(await (await create()).json()).toEqual({
      title: 'Conflict',
      detail: 'The workspace has 500 keys, the maximum; delete keys that are no longer used first.',
    });
    expect((await fixture.send('POST', '', fixture.ada, { name: 'x', workspace_id: 1 })).status).toBe(201);
  });

  test('rotates and deletes keys at the maximum', async () => {
    const [key] = (await fixture.list(fixture.ada)).filter(({ workspace_id: id }) => id === 2) as [ApiKey];
    expect((await fixture.send('POST', `${key.id}/rotate`, fixture.ada)).status).toBe(200);
    expect((await fixture.send('DELETE', String(key.id), fixture.ada)).status).toBe(200);
    expect((await create()).status).toBe(201);
  });
});

describe('a customer with a maximum lifetime of keys', () => {
  const DAY_MS = 86_400_000;
  const create = (expiresAt?: number) =>
    fixture.send('POST', '', fixture.ada, {
      name: 'rack',
      workspace_id: 1,
      ...(expiresAt !== undefined && { expires_at: new Date(expiresAt).toISOString() }),
    });

  beforeAll(() => fixture.service.run('customers', 'set', 'acme', '--max-key-days', '30'));
  afterAll(() => fixture.service.run('customers', 'set', 'acme', '--max-key-days', 'none'));

  test('sets the maximum for a key without expires_at', async () => {
    const { created_at: created, expires_at: expires } = await keyOf(await create());
    expect(Date.parse(String(expires)) - Date.parse(String(created))).toBe(30 * DAY_MS);
  });

  test('accepts an earlier and rejects a later expires_at', async () => {
    const now = fixture.service.clock.now().getTime();
    expect((await create(now + 29 * DAY_MS)).status).toBe(201);
    const response = await create(now + 31 * DAY_MS);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      title: 'Invalid Request',
      detail: expect.stringMatching(/^expires_at must be at most 30 days ahead/),
    });
  });
});

test('operators see the creator of a key, and list unused keys', async () => {
  const { id } = await keyOf(await fixture.send('POST', '', fixture.alan, { name: 'idle', workspace_id: 1 }));
  const listed = async (...options: string[]) =>
    (
      JSON.parse(await fixture.service.run('keys', 'list', '--json', ...options)) as {
        keys: { id: number; created_by: string }[];
      }
    ).keys.filter((key) => key.id === id);
  const change = (text: string) =>
    fixture.service.database.asOwner.query({
      text: `UPDATE account.api_keys SET ${text} WHERE id = $1`,
      values: [id],
    });
  expect(await listed()).toMatchObject([{ created_by: 'alan@acme.example' }]);
  expect(await listed('--unused-days', '90')).toEqual([]);
  await change("created_at = now() - interval '91 days'");
  expect(await listed('--unused-days', '90')).toHaveLength(1);
  await change("last_used_at = now() - interval '89 days'");
  expect(await listed('--unused-days', '90')).toEqual([]);
  await change("last_used_at = now() - interval '91 days', active = false");
  expect(await listed('--unused-days', '90')).toEqual([]);
  await expect(listed('--unused-days', '0')).rejects.toThrow('--unused-days must be an integer from 1');
});

import { type ApiKey, ServiceWithKeys } from '../../support/service-with-keys.ts';

const READING = { scopes: ['telemetry:write', 'fleet:read'] };
const NOT_READING = { scopes: ['telemetry:write'] };
const EVERYWHERE = { ...READING, all_workspaces: true };

let fixture: ServiceWithKeys;
let key: ApiKey;

beforeAll(async () => {
  fixture = await ServiceWithKeys.start();
});
afterAll(() => fixture.stop());
beforeEach(async () => {
  await setRole('alan@acme.example', 'member');
  key = await fixture.create();
});

const setRole = (email: string, role: string) =>
  fixture.service.database.asOwner.query({
    text: `UPDATE account.workspace_members SET role = $2
            WHERE user_id = (SELECT id FROM account.users WHERE email = $1)`,
    values: [email, role],
  });
const scopes = (token: string, id = key.id) => fixture.send('GET', `${id}/scopes`, token);
const change = (body: unknown, token = fixture.ada, id = key.id) =>
  fixture.send('PUT', `${id}/scopes`, token, body);
const auditOf = (action: string) =>
  fixture.service.database.asOwner.query<{ actor: string; detail: Record<string, unknown> }>({
    text: `SELECT actor, detail FROM account.audit_events
            WHERE action = $1 AND (detail->>'api_key')::integer = $2 ORDER BY id`,
    values: [action, key.id],
  });

describe('GET /keys/{key_id}/scopes', () => {
  test('shows viewers what a key may do', async () => {
    const response = await scopes(fixture.vera);
    expect(response.status).toBe(200);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(await response.json()).toEqual({ ...NOT_READING, all_workspaces: false });
  });

  test('returns the same 404 for a foreign and a missing key', async () => {
    for (const response of [await scopes(fixture.grace), await scopes(fixture.ada, 2_000_000_000)]) {
      expect(response.status).toBe(404);
      expect(await response.json()).toMatchObject({ title: 'Not Found' });
    }
  });
});

describe('PUT /keys/{key_id}/scopes', () => {
  test('lets an owner grant and revoke fleet:read, each audited once', async () => {
    await setRole('alan@acme.example', 'owner');
    for (const [body, answer] of [
      [READING, { ...READING, all_workspaces: false }],
      [READING, { ...READING, all_workspaces: false }],
      [NOT_READING, { ...NOT_READING, all_workspaces: false }],
    ] as const) {
      const response = await change(body, fixture.alan);
      expect(response.status).toBe(200);
      expect(await response.json()).toEqual(answer);
      expect(await (await scopes(fixture.vera)).json()).toEqual(answer);
    }
    expect(await auditOf('api_key_read_access_changed')).toEqual([
      {
        actor: expect.stringMatching(/^user:\d+$/),
        detail: { api_key: key.id, workspace: 1, from: 'none', to: 'workspace' },
      },
      {
        actor: expect.stringMatching(/^user:\d+$/),
        detail: { api_key: key.id, workspace: 1, from: 'workspace', to: 'none' },
      },
    ]);
  });

  test('leaves the rows of the key endpoints as they are', async () => {
    const [before] = (await fixture.list(fixture.ada)).filter(({ id }) => id === key.id);
    await change(READING);
    const [after] = (await fixture.list(fixture.ada)).filter(({ id }) => id === key.id);
    expect(after).toEqual({ ...before, updated_at: expect.any(String) });
  });

  test.each(['alan', 'vera'] as const)('denies %s, who is no owner', async (user) => {
    const response = await change(READING, fixture[user]);
    expect(response.status).toBe(403);
    expect(await (await scopes(fixture.ada)).json()).toMatchObject(NOT_READING);
    expect(await auditOf('api_key_denied')).toMatchObject([
      { detail: { attempt: 'change scopes', reason: 'Forbidden' } },
    ]);
  });

  test('returns 404 to a user of another customer', async () => {
    expect((await change(READING, fixture.grace)).status).toBe(404);
  });

  test('lets only an administrator extend it to all workspaces; an owner may keep or narrow that', async () => {
    await setRole('alan@acme.example', 'owner');
    expect((await change(EVERYWHERE, fixture.alan)).status).toBe(403);
    expect((await change(EVERYWHERE)).status).toBe(200);
    expect(await (await scopes(fixture.vera)).json()).toEqual(EVERYWHERE);
    expect((await change(EVERYWHERE, fixture.alan)).status).toBe(200);
    expect((await change(READING, fixture.alan)).status).toBe(200);
    expect((await change(EVERYWHERE, fixture.alan)).status).toBe(403);
  });

  test.each([
    ['grants a scope of operators', { scopes: [...READING.scopes, 'contact:write'] }],
    ['revokes a scope of operators', { scopes: ['fleet:read'] }],
  ])('denies a request that %s', async (_, body) => {
    const response = await change(body);
    expect(response.status).toBe(403);
    expect(await response.json()).toMatchObject({ detail: expect.stringMatching(/^Only an operator/) });
  });

  test('keeps a scope that an operator granted', async () => {
    await fixture.service.run('keys', 'grant', String(key.id), 'contact:write');
    expect((await change(READING)).status).toBe(403);
    const wanted = { scopes: ['telemetry:write', 'contact:write', 'fleet:read'] };
    expect(await (await change(wanted)).json()).toEqual({ ...wanted, all_workspaces: false });
  });

  test.each([
    [{}, /^scopes must be a list of telemetry:write, contact:write, fleet:read\.$/],
    [{ scopes: 'fleet:read' }, /^scopes must be a list/],
    [{ scopes: ['fleet:write'] }, /^scopes must be a list/],
    [{ ...READING, all_workspaces: 'yes' }, /^all_workspaces must be true or false\.$/],
    [{ ...NOT_READING, all_workspaces: true }, /^all_workspaces needs the scope fleet:read/],
    [{ ...READING, owner: 1 }, /^owner is not accepted/],
  ])('rejects %j', async (body, detail) => {
    const response = await change(body);
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({
      title: 'Invalid Request',
      detail: expect.stringMatching(detail),
    });
  });
});

describe('the rotation of a key that reads', () => {
  const rotate = (token: string) => fixture.send('POST', `${key.id}/rotate`, token);

  test('needs the role that grants what it reads, because the caller receives the secret', async () => {
    await change(READING);
    expect((await rotate(fixture.alan)).status).toBe(403);
    await setRole('alan@acme.example', 'owner');
    expect((await rotate(fixture.alan)).status).toBe(200);
    await change(EVERYWHERE);
    expect((await rotate(fixture.alan)).status).toBe(403);
    expect((await rotate(fixture.ada)).status).toBe(200);
  });

  test('stays with members for other keys', async () => {
    expect((await rotate(fixture.alan)).status).toBe(200);
  });
});

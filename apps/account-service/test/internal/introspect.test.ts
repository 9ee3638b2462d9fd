import { INTERNAL_CREDENTIAL, useAccountService } from '../support/running-account-service.ts';

const service = useAccountService();
let token: string;

beforeAll(async () => {
  token = (await service.session('ada@acme.example')).access_token;
});

const introspect = (body: unknown, credential = INTERNAL_CREDENTIAL, base = service.internalUrl) =>
  fetch(`${base}/internal/v1/keys/introspect`, {
    method: 'POST',
    headers: { authorization: `Bearer ${credential}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
const check = async (key: string) => (await introspect({ key })).json();

async function write(method: string, path: string, body?: object): Promise<{ id: number; key: string }> {
  const response = await fetch(`${service.url}/api/v1/keys/${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  return ((await response.json()) as { api_key: { id: number; key: string } }).api_key;
}
const create = (more: object = {}) => write('POST', '', { name: 'rack', workspace_id: 2, ...more });

const INACTIVE = { active: false, key_id: null, workspace_id: null, customer_id: null, scopes: [] };
const active = (id: number, scopes = ['telemetry:write']) => ({
  active: true,
  key_id: id,
  workspace_id: 2,
  customer_id: 1,
  scopes,
});

test('returns the owner and scopes of a key', async () => {
  const { id, key } = await create();
  const response = await introspect({ key });
  expect(response.status).toBe(200);
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(await response.json()).toEqual(active(id));
  expect(await check(key.toUpperCase())).toEqual(active(id));
});

test('requires the service credential and is not on the public port', async () => {
  const { key } = await create();
  for (const credential of ['x', token, key])
    expect((await introspect({ key }, credential)).status).toBe(401);
  expect((await introspect({ key }, INTERNAL_CREDENTIAL, service.url)).status).toBe(404);
});

test.each([
  '',
  'x',
  '00000000-0000-4000-8000-000000000000',
  '********-****-****-****-********0000',
  'é'.repeat(9000),
])('returns inactive for an unknown key: %.40s', async (key) => {
  expect(await check(key)).toEqual(INACTIVE);
});

test.each([[{}], [{ key: 1 }], [{ key: null }], [[]], ['x'], [{ key: 'x', token: 'y' }]])(
  'rejects the body %j',
  async (body) => {
    const response = await introspect(body);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ title: 'Invalid Request' });
  },
);

test('a secret becomes inactive at its rotation or deletion', async () => {
  const { id, key: first } = await create();
  const { key: second } = await write('POST', `${id}/rotate`);
  expect(await check(first)).toEqual(INACTIVE);
  expect(await check(second)).toEqual(active(id));
  await write('DELETE', String(id));
  expect(await check(second)).toEqual(INACTIVE);
});

test('an expired key is not active', async () => {
  const { id, key } = await create({ expires_at: new Date(Date.now() + 60_000).toISOString() });
  expect(await check(key)).toEqual(active(id));
  await service.clock.advance(61);
  expect(await check(key)).toEqual(INACTIVE);
});

test('updates last_used_at at most once a minute', async () => {
  const { id, key } = await create();
  const lastUsed = async () => {
    const [row] = await service.database.asOwner.query<{ last_used_at: Date | null }>({
      text: 'SELECT last_used_at FROM account.api_keys WHERE id = $1',
      values: [id],
    });
    return row?.last_used_at?.getTime() ?? null;
  };
  expect(await lastUsed()).toBeNull();
  await Promise.all(Array.from({ length: 20 }, () => check(key)));
  const first = await lastUsed();
  expect(first).not.toBeNull();
  await service.clock.advance(50);
  await check(key);
  expect(await lastUsed()).toBe(first);
  await service.clock.advance(11);
  await check(key);
  expect(await lastUsed()).toBeGreaterThanOrEqual((first as number) + 61_000);
});

test('an operator grants and revokes contact:write, and disables, enables and deletes a key', async () => {
  const { id, key } = await create();
  expect(await service.run('keys', 'grant', String(id), 'contact:write')).toBe(
    `key ${id}: scope granted; scopes telemetry:write,contact:write`,
  );
  expect(await check(key)).toEqual(active(id, ['telemetry:write', 'contact:write']));
  await service.run('keys', 'revoke', String(id), 'contact:write');
  expect(await check(key)).toEqual(active(id));
  await service.run('keys', 'disable', String(id));
  expect(await check(key)).toEqual(INACTIVE);
  await service.run('keys', 'enable', String(id));
  expect(await check(key)).toEqual(active(id));

  const { keys } = JSON.parse(await service.run('keys', 'list', '--customer', 'acme', '--json')) as {
    keys: object[];
  };
  expect(keys.at(-1)).toMatchObject({
    id,
    customer: 'acme',
    workspace: 'production',
    secret_ending: key.slice(-4),
  });
  expect(JSON.stringify(keys)).not.toContain(key);

  await expect(service.run('keys', 'delete', String(id))).rejects.toThrow('repeat the command with --yes');
  await service.run('keys', 'delete', String(id), '--yes');
  expect(await check(key)).toEqual(INACTIVE);
  const rows = await service.database.asOwner.query({
    text: `SELECT action, customer_id FROM account.audit_events WHERE actor = 'operator:olga' ORDER BY id`,
  });
  expect(rows).toEqual(
    ['scope_granted', 'scope_revoked', 'disabled', 'enabled', 'deleted'].map((action) => ({
      action: `api_key_${action}`,
      customer_id: 1,
    })),
  );
});

test('escapes control characters of key names in the output', async () => {
  // The API accepts no such name.
  const { id } = await create();
  await service.database.asOwner.query({
    text: 'UPDATE account.api_keys SET name = $2 WHERE id = $1',
    values: [id, 'x\u001b[2J\n1\tacme\u202e\u009bK'],
  });
  expect(await service.run('keys', 'list')).toContain('\tx\\u001b[2J\\u000a1\\u0009acme\\u202e\\u009bK\t');
});

test('reports an unknown key or scope', async () => {
  const { id } = await create();
  await expect(service.run('keys', 'grant', String(id), 'admin')).rejects.toThrow(
    'scope must be one of contact:write, fleet:read, got "admin"',
  );
  for (const absent of ['999999', 'x', '99999999999']) {
    await expect(service.run('keys', 'disable', absent)).rejects.toThrow(`key ${absent} does not exist`);
  }
});

test('keys of an inactive customer are not active', async () => {
  const { id, key } = await create();
  const setActive = (value: boolean) =>
    service.database.asOwner.query({
      text: 'UPDATE account.customers SET active = $1 WHERE id = 1',
      values: [value],
    });
  await setActive(false);
  expect(await check(key)).toEqual(INACTIVE);
  await setActive(true);
  expect(await check(key)).toEqual(active(id));
});

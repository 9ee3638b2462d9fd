import { once } from 'node:events';
import { type IncomingMessage, request as openRequest } from 'node:http';
import { json } from 'node:stream/consumers';
import { TOKEN_PATH } from '../../../src/oauth/oauth-error.filter.ts';
import { type ApiKey, ServiceWithKeys } from '../../support/service-with-keys.ts';
import {
  claimsOf,
  exchangeKey,
  FleetVerifier,
  type KeyToken,
  requestToken,
} from '../../support/key-tokens.ts';

const GRANT = { grant_type: 'client_credentials' };

let fixture: ServiceWithKeys;
let fleet: FleetVerifier;
let key: ApiKey;

beforeAll(async () => {
  fixture = await ServiceWithKeys.start();
  fleet = new FleetVerifier(fixture.service);
  await fleet.start();
  key = await fixture.create();
  await grant(key.id);
});
afterAll(async () => {
  fleet.stop();
  await fixture.stop();
});

const grant = async (id: number, allWorkspaces = false) => {
  const body = { scopes: ['telemetry:write', 'fleet:read'], all_workspaces: allWorkspaces };
  expect((await fixture.send('PUT', `${id}/scopes`, fixture.ada, body)).status).toBe(200);
};
const basic = (id: string | number, secret: string) => ({
  authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
});
const request = (fields: Record<string, string>, headers?: Record<string, string>) =>
  requestToken(fixture.service, fields, headers);
const errorOf = async (response: Response) =>
  (await response.json()) as { error: string; error_description: string };

describe('a token', () => {
  test('is issued for a key in the body, and reads its workspace for 15 minutes', async () => {
    const response = await exchangeKey(fixture.service, key);
    expect(response.status).toBe(200);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('pragma')).toBe('no-cache');
    expect(response.headers.get('content-type')).toMatch(/^application\/json/);
    const body = (await response.json()) as KeyToken;
    expect(body).toEqual({
      access_token: expect.any(String),
      token_type: 'Bearer',
      expires_in: 900,
      scope: 'fleet:read',
    });
    const claims = claimsOf(body.access_token);
    expect(claims).toEqual({
      iss: fixture.service.url,
      aud: 'gpu-observatory/fleet-api',
      sub: `key:${key.id}`,
      client_id: String(key.id),
      scope: 'fleet:read',
      sid: expect.stringMatching(/^[0-9a-f-]{36}$/),
      jti: expect.any(String),
      iat: expect.any(Number),
      exp: Number(claims['iat']) + 900,
      access: [{ customer_id: 1, workspace_ids: [1] }],
    });
    expect(await fleet.verify(body.access_token)).toMatchObject({ keyId: key.id, access: claims['access'] });
  });

  test.each([
    ['without a scope', {}],
    ['with the scope', { scope: 'fleet:read' }],
    [
      'with an empty scope and a parameter that is not known',
      { scope: '', resource: 'https://fleet.example.com' },
    ],
    ['with the same id in the body', { client_id: 'same' }],
  ])('is issued for a Basic header, %s', async (_, more) => {
    const same = 'client_id' in more ? { client_id: String(key.id) } : {};
    const response = await request({ ...GRANT, ...more, ...same }, basic(key.id, key.key));
    expect(response.status).toBe(200);
  });

  test('reads all workspaces when an administrator granted it', async () => {
    const wide = await fixture.create();
    await grant(wide.id, true);
    const { access_token } = (await (await exchangeKey(fixture.service, wide)).json()) as KeyToken;
    expect(claimsOf(access_token)['access']).toEqual([{ customer_id: 1, workspace_ids: 'all' }]);
  });

  test('ends with its key', async () => {
    const brief = await fixture.create();
    await grant(brief.id);
    await fixture.service.database.asOwner.query({
      text: `UPDATE account.api_keys SET expires_at = clock_timestamp() + interval '60 seconds' WHERE id = $1`,
      values: [brief.id],
    });
    const body = (await (await exchangeKey(fixture.service, brief)).json()) as KeyToken;
    expect(body.expires_in).toBeGreaterThanOrEqual(59);
    expect(body.expires_in).toBeLessThanOrEqual(61);
  });

  test('is audited, and updates the last use of the key', async () => {
    const used = await fixture.create();
    await grant(used.id);
    await exchangeKey(fixture.service, used);
    const [listed] = (await fixture.list(fixture.ada)).filter(({ id }) => id === used.id);
    expect(listed?.['last_used_at']).not.toBe('');
    const text = `SELECT actor, customer_id, detail FROM account.audit_events
                   WHERE action = 'api_key_token_issued' AND actor = $1`;
    expect(await fixture.service.database.asOwner.query({ text, values: [`key:${used.id}`] })).toEqual([
      { actor: `key:${used.id}`, customer_id: 1, detail: { api_key: used.id, workspace: 1 } },
    ]);
  });
});

describe('each kind of token at each service', () => {
  test('a token of a key is valid only at fleet-api, a token of a session at both', async () => {
    const { access_token: ofKey } = (await (await exchangeKey(fixture.service, key)).json()) as KeyToken;
    expect(await fleet.verify(ofKey)).not.toBeNull();
    expect(await fleet.verify(fixture.ada)).toMatchObject({ userId: 1 });
    expect((await fixture.service.get('/api/v1/me', fixture.ada)).status).toBe(200);
    for (const path of ['/api/v1/me', '/api/v1/keys/', '/api/v1/workspaces/', '/api/v1/sessions/']) {
      expect((await fixture.service.get(path, ofKey)).status).toBe(401);
    }
    const cookie = { cookie: `__Host-access=${ofKey}` };
    expect((await fixture.service.get('/api/v1/me', undefined, cookie)).status).toBe(401);
    expect((await fixture.send('POST', `${key.id}/rotate`, ofKey)).status).toBe(401);
    const signOut = await fixture.service.post(
      '/api/v1/auth/logout',
      {},
      { authorization: `Bearer ${ofKey}` },
    );
    expect(signOut.status).toBe(401);
    expect(await fleet.verify(ofKey)).not.toBeNull();
  });
});

describe('a client that is not authenticated', () => {
  const rejections = async () => {
    const inactive = await fixture.create();
    await grant(inactive.id);
    await fixture.service.run('keys', 'disable', String(inactive.id));
    const other = await fixture.create(fixture.grace, 3);
    const secret = '11111111-1111-4111-8111-111111111111';
    return [
      { id: 2_000_000_000, key: secret },
      { id: key.id, key: secret },
      { id: key.id, key: other.key },
      { id: other.id, key: key.key },
      { id: inactive.id, key: inactive.key },
      { id: '99999999999999999999', key: key.key },
      { id: `0${key.id}`, key: key.key },
      { id: `${key.id} OR 1=1`, key: key.key },
      { id: key.id, key: `${key.key} ` },
    ];
  };

  test('gets the same 401 with a Basic challenge, whatever is wrong', async () => {
    const bodies = new Set<string>();
    for (const credentials of await rejections()) {
      const response = await exchangeKey(fixture.service, credentials);
      expect(response.status).toBe(401);
      expect(response.headers.get('www-authenticate')).toBe('Basic realm="gpu-observatory"');
      expect(response.headers.get('cache-control')).toBe('no-store');
      bodies.add(await response.text());
    }
    expect([...bodies]).toEqual([
      JSON.stringify({
        error: 'invalid_client',
        error_description:
          'The API key is unknown, rotated, expired or disabled, or client_id is not its id.',
      }),
    ]);
  });

  test('runs the same statements for an unknown id as for a wrong secret, so that both take as long', async () => {
    const { database } = fixture.service.running.runtime;
    const statements = async (id: number) => {
      const query = jest.spyOn(database, 'query');
      await exchangeKey(fixture.service, { id, key: '22222222-2222-4222-8222-222222222222' });
      const names = query.mock.calls
        .map(([statement]) => statement.name)
        .filter((name) => name !== undefined);
      query.mockRestore();
      return names.filter((name) => ['find-client-key', 'append-audit-event'].includes(name));
    };
    const ofUnknown = await statements(2_000_000_000);
    expect(ofUnknown).toEqual(['find-client-key', 'append-audit-event']);
    expect(await statements(key.id)).toEqual(ofUnknown);
  });

  test.each<[string, Record<string, string>, Record<string, string>]>([
    ['no credentials', {}, {}],
    ['an id alone', { client_id: '1' }, {}],
    ['a bearer token', {}, { authorization: 'Bearer x' }],
    ['Basic without a colon', {}, { authorization: `Basic ${Buffer.from('1').toString('base64')}` }],
    ['Basic that is not base64', {}, { authorization: 'Basic 1:x' }],
    ['Basic with an invalid escape', {}, basic('1', '%zz')],
  ])('with %s gets 401', async (_, fields, headers) => {
    const response = await request({ ...GRANT, ...fields }, headers);
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toBe('Basic realm="gpu-observatory"');
    expect((await errorOf(response)).error).toBe('invalid_client');
  });
});

describe('a request', () => {
  const valid = () => ({ ...GRANT, client_id: String(key.id), client_secret: key.key });

  test.each<[string, number, string, () => Promise<Response>]>([
    ['without grant_type', 400, 'invalid_request', () => request({ ...valid(), grant_type: '' })],
    [
      'with another grant',
      400,
      'unsupported_grant_type',
      () => request({ ...valid(), grant_type: 'password' }),
    ],
    [
      'with a wider scope',
      400,
      'invalid_scope',
      () => request({ ...valid(), scope: 'fleet:read contact:write' }),
    ],
    ['with two credentials', 400, 'invalid_request', () => request(valid(), basic(key.id, key.key))],
    [
      'with two ids',
      400,
      'invalid_request',
      () => request({ ...GRANT, client_id: '7' }, basic(key.id, key.key)),
    ],
    ['in JSON', 415, 'invalid_request', () => fixture.service.post(TOKEN_PATH, { ...valid() })],
    [
      'with a repeated parameter',
      400,
      'invalid_request',
      () =>
        fetch(`${fixture.service.url}${TOKEN_PATH}`, {
          method: 'POST',
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
          body: `grant_type=client_credentials&scope=fleet:read&scope=fleet:read&client_id=${key.id}`,
        }),
    ],
    [
      'with parameters in the URL',
      400,
      'invalid_request',
      () =>
        fetch(`${fixture.service.url}${TOKEN_PATH}?client_secret=x`, {
          method: 'POST',
          body: new URLSearchParams(valid()),
        }),
    ],
    ['with a NUL', 400, 'invalid_request', () => request({ ...valid(), scope: '\0' })],
    ['of 70 KiB', 413, 'invalid_request', () => request({ ...valid(), scope: 'x'.repeat(70_000) })],
  ])('%s gets %i %s in the format of OAuth', async (_, status, error, send) => {
    const response = await send();
    expect(response.status).toBe(status);
    expect(response.headers.get('cache-control')).toBe('no-store');
    const body = await errorOf(response);
    expect(body).toEqual({
      error,
      error_description: expect.stringMatching(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/),
    });
  });

  test('with two Authorization headers gets 400 invalid_request', async () => {
    const { authorization } = basic(key.id, key.key);
    const sent = openRequest(`${fixture.service.url}${TOKEN_PATH}`, {
      method: 'POST',
      headers: [
        ...['host', new URL(fixture.service.url).host],
        ...['content-type', 'application/x-www-form-urlencoded'],
        ...['authorization', authorization],
        ...['authorization', authorization],
      ],
    }).end('grant_type=client_credentials');
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    expect(response.statusCode).toBe(400);
    expect(await json(response)).toEqual({
      error: 'invalid_request',
      error_description: 'The Authorization header must be sent once.',
    });
  });

  test('of a key that may not read gets invalid_scope', async () => {
    const silent = await fixture.create();
    const response = await exchangeKey(fixture.service, silent);
    expect(response.status).toBe(400);
    expect((await errorOf(response)).error).toBe('invalid_scope');
  });

  test('with a form at any other route stays 415', async () => {
    const response = await fetch(`${fixture.service.url}/api/v1/keys/`, {
      method: 'POST',
      headers: { authorization: `Bearer ${fixture.ada}` },
      body: new URLSearchParams({ name: 'x', workspace_id: '1' }),
    });
    expect(response.status).toBe(415);
  });
});

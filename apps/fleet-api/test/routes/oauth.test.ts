import { randomUUID } from 'node:crypto';
import { useFleetService } from '../support/fleet-service.ts';

const PUBLIC_URL = 'https://fleet.acme.example';
const METADATA_URL = `${PUBLIC_URL}/.well-known/oauth-protected-resource`;
const ACCESS = [{ customer_id: 1, workspace_ids: [1] }];

const fleet = useFleetService({ environment: { PUBLIC_URL } });

const getWith = (token: string) => fleet.get('/api/v1/alerts', null, { authorization: `Bearer ${token}` });

test('describes this service to OAuth clients (RFC 9728)', async () => {
  const response = await fleet.get('/.well-known/oauth-protected-resource', null);
  expect(response.status).toBe(200);
  expect(response.headers.get('cache-control')).toBe('public, max-age=300');
  expect(await response.json()).toEqual({
    resource: PUBLIC_URL,
    authorization_servers: [fleet.account.url],
    scopes_supported: ['fleet:read'],
    bearer_methods_supported: ['header'],
    resource_name: 'GPU Observatory fleet data API',
    resource_documentation: `${PUBLIC_URL}/docs`,
  });
});

test('the challenge of a 401 has the URL of the metadata', async () => {
  const without = await fleet.get('/api/v1/alerts', null);
  expect(without.headers.get('www-authenticate')).toBe(
    `Bearer realm="gpu-observatory", resource_metadata="${METADATA_URL}"`,
  );
  const invalid = await getWith('nonsense');
  expect(invalid.headers.get('www-authenticate')).toBe(
    `Bearer realm="gpu-observatory", resource_metadata="${METADATA_URL}", error="invalid_token"`,
  );
});

test('accepts the tokens of users and of API keys', async () => {
  expect((await getWith(await fleet.account.token(ACCESS))).status).toBe(200);
  expect((await getWith(await fleet.account.keyToken(ACCESS, randomUUID()))).status).toBe(200);
});

test('rejects the token of an API key within 2 s of its revocation', async () => {
  const sessionId = randomUUID();
  const token = await fleet.account.keyToken(ACCESS, sessionId);
  expect((await getWith(token)).status).toBe(200);
  fleet.account.revocations.push({ kind: 'session', id: sessionId, not_before: new Date().toISOString() });
  const deadline = Date.now() + 2_000;
  while ((await getWith(token)).status !== 401) expect(Date.now()).toBeLessThan(deadline);
});

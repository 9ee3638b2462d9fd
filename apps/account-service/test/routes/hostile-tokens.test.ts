import { createPrivateKey, createPublicKey } from 'node:crypto';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { Encryptor } from '../../src/secrets/encryptor.ts';
import { SIGNING_KEY_PURPOSE } from '../../src/signing-keys/rotation.ts';
import { hostileTokens } from '../support/hostile-tokens.ts';
import {
  RunningAccountService,
  SIGNING_KEY_SECRET,
  type SessionTokens,
} from '../support/running-account-service.ts';

let service: RunningAccountService;
let session: SessionTokens;
let fetches = 0;

/** Counts requests; none is expected. */
const decoy = createServer((_request, response) => {
  fetches += 1;
  response.end('{"keys":[]}');
});

beforeAll(async () => {
  decoy.listen(0, '127.0.0.1');
  await once(decoy, 'listening');
  service = await RunningAccountService.start();
  session = await service.session('ada@acme.example');
});

afterAll(async () => {
  decoy.close();
  await service.stop();
});

/** Every route that the OpenAPI document protects, with numbers for path parameters. */
async function bearerRoutes(): Promise<[method: string, path: string][]> {
  const { paths } = (await (await service.get('/openapi.json')).json()) as {
    paths: Record<string, Record<string, { security?: object[] }>>;
  };
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations)
      .filter(([, { security }]) => security !== undefined)
      .map(([method]): [string, string] => [method.toUpperCase(), path.replace(/\{\w+\}/g, '1')]),
  );
}

async function signingKey() {
  const [row] = await service.database.asOwner.query<{ encrypted_private_key: Buffer }>({
    text: 'SELECT encrypted_private_key FROM account.signing_keys',
  });
  const encryptor = new Encryptor([SIGNING_KEY_SECRET], SIGNING_KEY_PURPOSE);
  const privateKey = createPrivateKey(encryptor.decrypt(row?.encrypted_private_key as Buffer));
  return { privateKey, publicKey: createPublicKey(privateKey) };
}

test('every protected route rejects hostile tokens, and fetches no URL from them', async () => {
  const routes = await bearerRoutes();
  expect(routes.map((route) => route.join(' '))).toEqual(
    expect.arrayContaining([
      'GET /api/v1/me',
      'GET /api/v1/workspaces',
      'GET /api/v1/keys',
      'POST /api/v1/keys',
      'POST /api/v1/keys/1/rotate',
      'DELETE /api/v1/keys/1',
      'POST /api/v1/auth/logout',
    ]),
  );
  const hostile = hostileTokens(
    session.access_token,
    await signingKey(),
    `http://127.0.0.1:${(decoy.address() as AddressInfo).port}`,
  );
  // Refresh tokens and client secrets are not access tokens either.
  hostile.push(['the refresh token', session.refresh_token], ['a client secret', 'github-secret']);
  expect(hostile.length).toBeGreaterThanOrEqual(60);

  const accepted: string[] = [];
  for (const [name, token] of hostile) {
    for (const [method, path] of routes) {
      const headers = { authorization: `Bearer ${token}` };
      const { status } = await fetch(`${service.url}${path}`, { method, headers });
      if (status !== 401) accepted.push(`${name}: ${method} ${path} responded ${status}`);
    }
    const cookie = `__Host-access=${token}`;
    const { status } = await service.get('/api/v1/me', undefined, { cookie });
    if (status !== 401) accepted.push(`${name}: in the cookie, ${status}`);
  }
  expect(accepted).toEqual([]);
  expect(fetches).toBe(0);
  expect((await service.get('/api/v1/me', session.access_token)).status).toBe(200);
});

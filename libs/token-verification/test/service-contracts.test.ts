import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ServiceContract } from '@gpu-observatory/contracts';
import { exportJWK, generateKeyPair } from 'jose';
import { type Caller, httpRevocationSource, remoteSigningKeys, RevocationFeed } from '../src/index.ts';

/** Checks the verifiers with the service contracts. The tests of account-service use the same files. */
const requests: string[][] = [];
let stubResponse: { status: number; body: string };
let contract: ServiceContract;
let url: string;

const server = createServer(({ method, url: path, headers }, response) => {
  requests.push(contract.requestViolations({ method, url: path, headers }));
  response.writeHead(stubResponse.status, { 'content-type': 'application/json' }).end(stubResponse.body);
});

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());
beforeEach(() => {
  requests.length = 0;
});

const revokedAt = Date.parse('2026-11-21T11:59:00.000Z') / 1000;
const caller: Caller = {
  userId: 1,
  sessionId: 'session-2',
  access: [{ customer_id: 1, workspace_ids: 'all' }],
  issuedAt: revokedAt - 60,
  expiresAt: revokedAt + 3_600,
  signingKeyId: 'key-2',
};

describe('the revocation feed of the contract', () => {
  const startFeed = async (changes: Record<string, unknown> = {}) => {
    contract = new ServiceContract('revocation-feed');
    stubResponse = contract.stubResponse('the revocations', changes);
    const failures: unknown[] = [];
    const feed = new RevocationFeed(httpRevocationSource(url, 'credential'), {
      onError: (error) => failures.push(error),
    });
    await feed.start();
    feed.stop();
    expect(failures).toEqual([]);
    return feed;
  };

  it('is requested with and without a time, and page by page', async () => {
    await startFeed();
    const read = httpRevocationSource(url, 'credential');
    await read({ since: '2026-11-21T11:59:50.000Z', after: null }, 1_000);
    await read({ since: null, after: '2026-11-21T11:59:50.000Z_7' }, 1_000);
    expect(requests).toEqual([[], [], []]);
  });

  it.each<[string, Partial<Caller>]>([
    ['session', { sessionId: 'session-1' }],
    ['user', { userId: 7 }],
    ['customer', { access: [{ customer_id: 3, workspace_ids: 'all' }] }],
    ['signing key', { signingKeyId: 'key-1' }],
  ])('revokes the tokens of a %s', async (_kind, claims) => {
    // The example has a fixed date; its revocations apply as long as tokens of that date are valid.
    const now = new Date();
    const revocations = [
      { kind: 'session', id: 'session-1', not_before: now.toISOString() },
      { kind: 'user', id: '7', not_before: now.toISOString() },
      { kind: 'customer', id: '3', not_before: now.toISOString() },
      { kind: 'signing_key', id: 'key-1', not_before: now.toISOString() },
    ];
    const { revocations: known } = await startFeed({ as_of: now.toISOString(), revocations });
    const today = { issuedAt: now.getTime() / 1000 - 60, expiresAt: now.getTime() / 1000 + 3_600 };
    expect(known.isRevoked({ ...caller, ...today, ...claims })).toBe(true);
    expect(known.isRevoked({ ...caller, ...today })).toBe(false);
  });

  it('throws when the credential is rejected', async () => {
    contract = new ServiceContract('revocation-feed');
    stubResponse = contract.stubResponse('a wrong credential');
    await expect(httpRevocationSource(url, 'another')({ since: null, after: null }, 1_000)).rejects.toThrow(
      'the revocation feed returned 401',
    );
  });
});

it('requests and reads the signing keys of the contract', async () => {
  contract = new ServiceContract('signing-keys');
  const { publicKey } = await generateKeyPair('ES256');
  const key = { ...(await exportJWK(publicKey)), kid: 'key-9', alg: 'ES256', use: 'sig' };
  stubResponse = contract.stubResponse('the public keys', { keys: [key] });
  const { keys } = remoteSigningKeys(`${url}${contract.request.path}`);
  const found = await keys({ alg: 'ES256', kid: 'key-9' }, { payload: '', signature: '' });
  expect(await exportJWK(found as Parameters<typeof exportJWK>[0])).toMatchObject({ x: key.x, y: key.y });
  expect(requests).toEqual([[]]);
});

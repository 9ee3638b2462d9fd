import { DependencyUnavailable } from '@gpu-observatory/service-runtime/process';
import { type RemoteSigningKeys, remoteSigningKeys, Revocations, TokenVerifier } from '../src/index.ts';
import {
  AUDIENCE,
  type CountingServer,
  ecKeys,
  goodClaims,
  goodHeader,
  ISSUER,
  jwkOf,
  mint,
  startCountingServer,
} from './support/issuer.ts';

const [first, second] = [ecKeys(), ecKeys()];
const keySet = (...keys: object[]) => ({ status: 200, body: JSON.stringify({ keys }) });

let accountService: CountingServer;
let keys: RemoteSigningKeys;
let verifier: TokenVerifier;
let nowMs: number;

beforeEach(async () => {
  nowMs = Date.now();
  accountService = await startCountingServer({ keys: [jwkOf(first.publicKey, 'key-1')] });
  keys = remoteSigningKeys(`${accountService.url}/.well-known/jwks.json`, () => nowMs);
  verifier = new TokenVerifier({
    issuer: ISSUER,
    audience: AUDIENCE,
    keys: keys.keys,
    revocations: new Revocations(),
  });
});
afterEach(async () => {
  keys.stop();
  await accountService.close();
});

let serial = 0;
/** Returns a different token each time, so that none is cached. */
const token = (kid: string, pair = first) =>
  mint({ ...goodHeader(), kid }, { ...goodClaims(), jti: `token-${serial++}` }, pair.privateKey);

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 10));
}

test('reads keys once for any number of tokens', async () => {
  const callers = await Promise.all(Array.from({ length: 20 }, () => verifier.verify(token('key-1'))));
  expect(callers.filter((caller) => caller === null)).toEqual([]);
  expect(accountService.requests).toEqual(['/.well-known/jwks.json']);
});

test('reads keys again for an unknown key id, at most once in 30 s', async () => {
  await verifier.verify(token('key-1'));
  for (let times = 0; times < 20; times++)
    expect(await verifier.verify(token(`invented-${times}`))).toBeNull();
  expect(accountService.requests).toHaveLength(1);
  nowMs += 30_000;
  await Promise.all(Array.from({ length: 20 }, (_, index) => verifier.verify(token(`invented-${index}`))));
  expect(accountService.requests).toHaveLength(2);
  nowMs += 29_999;
  await verifier.verify(token('invented'));
  expect(accountService.requests).toHaveLength(2);
});

test.each([
  ['sends no response', null],
  ['sends a malformed response', { status: 200, body: '{"keys":"none"}' }],
])('limits reads and keeps known keys while the account service %s', async (_name, response) => {
  await verifier.verify(token('key-1'));
  accountService.response = response;
  nowMs += 30_000;
  for (let times = 0; times < 20; times++)
    expect(await verifier.verify(token(`invented-${times}`))).toBeNull();
  const asked = accountService.requests.length;
  expect(asked).toBeGreaterThan(1);
  expect(asked).toBeLessThanOrEqual(3); // the HTTP client itself may try again once on a connection that broke
  for (let times = 0; times < 5; times++) expect(await verifier.verify(token('key-1'))).not.toBeNull();
  expect(keys.unavailableReason).toBeNull();
});

test('accepts a key published later and rejects a withdrawn one', async () => {
  await verifier.verify(token('key-1'));
  accountService.response = keySet(jwkOf(second.publicKey, 'key-2'));
  expect(await verifier.verify(token('key-2', second))).toBeNull();
  nowMs += 30_000;
  expect(await verifier.verify(token('key-2', second))).not.toBeNull();
  expect(await verifier.verify(token('key-1'))).toBeNull();
});

test.each([
  ['no response', null],
  ['a failure', { status: 500, body: '{"keys":[]}' }],
  ['a redirect', { status: 302, body: '' }],
  ['no JSON', { status: 200, body: '<html>' }],
  ['no key set', { status: 200, body: '{"keys":"none"}' }],
])('reports an unavailable account service before the first read: %s', async (_name, response) => {
  accountService.response = response;
  await expect(verifier.verify(token('key-1'))).rejects.toBeInstanceOf(DependencyUnavailable);
  expect(keys.unavailableReason).toBe("the account service's signing keys have not been read yet");
});

test('reads once per second, not once per request, before the first success', async () => {
  accountService.response = { status: 503, body: '' };
  for (let times = 0; times < 20; times++) {
    await expect(verifier.verify(token('key-1'))).rejects.toBeInstanceOf(DependencyUnavailable);
  }
  expect(accountService.requests).toHaveLength(1);
  nowMs += 1_000;
  accountService.response = keySet(jwkOf(first.publicKey, 'key-1'));
  expect(await verifier.verify(token('key-1'))).not.toBeNull();
  expect(keys.unavailableReason).toBeNull();
});

test.each([
  [
    'a symmetric key',
    { kty: 'oct', k: Buffer.from('secret').toString('base64url'), kid: 'key-1', alg: 'HS256' },
  ],
  ['a key of another curve', { ...jwkOf(ecKeys('P-384').publicKey, 'key-1'), alg: 'ES384' }],
  ['a key for encryption', { ...jwkOf(first.publicKey, 'key-1'), use: 'enc' }],
])('a published key of another type verifies nothing: %s', async (_name, key) => {
  accountService.response = keySet(key);
  expect(await verifier.verify(token('key-1'))).toBeNull();
});

test('reads immediately, retries each second until it succeeds, then waits', async () => {
  accountService.response = null;
  keys.start();
  await until(() => accountService.requests.length > 0);
  expect(keys.unavailableReason).not.toBeNull();
  accountService.response = keySet(jwkOf(first.publicKey, 'key-1'));
  await until(() => keys.unavailableReason === null);
  const asked = accountService.requests.length;
  await new Promise((resolve) => setTimeout(resolve, 1_200));
  expect(accountService.requests).toHaveLength(asked);
});

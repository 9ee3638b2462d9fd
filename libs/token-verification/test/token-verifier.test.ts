import { createLocalJWKSet, type JWTVerifyGetKey } from 'jose';
import { REVOCATION_LIFETIME_SECONDS, Revocations, TokenVerifier } from '../src/index.ts';
import { AUDIENCE, ecKeys, goodClaims, goodHeader, ISSUER, jwkOf, mint } from './support/issuer.ts';

const ours = ecKeys();
const START_MS = Date.parse('2026-11-21T12:00:00Z');

let nowMs: number;
let signaturesChecked: number;
let revocations: Revocations;
let verifier: TokenVerifier;

beforeEach(() => {
  nowMs = START_MS;
  signaturesChecked = 0;
  revocations = new Revocations();
  const keySet = createLocalJWKSet({ keys: [jwkOf(ours.publicKey)] } as Parameters<
    typeof createLocalJWKSet
  >[0]);
  const keys: JWTVerifyGetKey = (header, token) => {
    signaturesChecked += 1; // a key is asked for once a check
    return keySet(header, token);
  };
  verifier = new TokenVerifier({ issuer: ISSUER, audience: AUDIENCE, keys, revocations, now: () => nowMs });
});

const token = (change: Record<string, unknown> = {}, issuedMs = START_MS) =>
  mint(goodHeader(), { ...goodClaims(issuedMs), ...change }, ours.privateKey);

test('accepts an array of audiences that contains ours', async () => {
  expect(await verifier.verify(token({ aud: ['another', AUDIENCE] }))).not.toBeNull();
});

test('accepts a caller without any access', async () => {
  expect(await verifier.verify(token({ access: [] }))).toMatchObject({ access: [] });
});

test.each([
  [599, true],
  [601, false],
])('a token issued %i s ahead of the clock: accepted is %s', async (aheadSeconds, isAccepted) => {
  const caller = await verifier.verify(token({}, START_MS + aheadSeconds * 1000));
  expect(caller !== null).toBe(isAccepted);
});

describe('a verified token', () => {
  test('is cached: its signature is checked once', async () => {
    const one = token();
    for (let times = 0; times < 5; times++) expect(await verifier.verify(one)).toMatchObject({ userId: 7 });
    expect(signaturesChecked).toBe(1);
    await verifier.verify(token({ jti: 'another' }));
    expect(signaturesChecked).toBe(2);
  });

  test('expires to the millisecond', async () => {
    const one = token();
    nowMs = START_MS + 21_600_000 - 1;
    expect(await verifier.verify(one)).not.toBeNull();
    nowMs += 1;
    expect(await verifier.verify(one)).toBeNull();
    expect(signaturesChecked).toBe(1);
    expect(await verifier.verify(one)).toBeNull();
  });

  test.each([
    { kind: 'session', id: 'session-1' },
    { kind: 'user', id: '7' },
    { kind: 'customer', id: '3' },
    { kind: 'signing_key', id: 'key-1' },
  ] as const)('is rejected when revoked: %o', async ({ kind, id }) => {
    const one = token();
    expect(await verifier.verify(one)).not.toBeNull();
    revocations.add({ kind, id, not_before: new Date(START_MS + 1_000).toISOString() });
    expect(await verifier.verify(one)).toBeNull();
    expect(await verifier.verify(token({ jti: 'another' }))).toBeNull();
  });

  test('stays valid when another user is revoked', async () => {
    const one = token();
    for (const [kind, id] of [
      ['session', '7'],
      ['user', '3'],
      ['customer', '7'],
      ['signing_key', 'key-2'],
    ] as const) {
      revocations.add({ kind, id, not_before: new Date(START_MS + 1_000).toISOString() });
    }
    expect(await verifier.verify(one)).not.toBeNull();
  });

  test('has an immutable caller', async () => {
    const one = token();
    const caller = await verifier.verify(one);
    expect(() => Object.assign(caller!, { userId: 1 })).toThrow(TypeError);
    expect(() => (caller!.access as unknown[]).push({ customer_id: 1, workspace_ids: 'all' })).toThrow(
      TypeError,
    );
    expect(() => (caller!.access[0]!.workspace_ids as number[]).push(9)).toThrow(TypeError);
    expect(await verifier.verify(one)).toMatchObject({ userId: 7, access: [{ customer_id: 3 }] });
  });
});

describe('revocations', () => {
  const at = (seconds: number) => new Date(START_MS + seconds * 1000).toISOString();

  test('tokens of a user or customer are valid if issued after the revocation', async () => {
    revocations.add({ kind: 'user', id: '7', not_before: at(10) });
    revocations.add({ kind: 'customer', id: '3', not_before: at(10) });
    expect(await verifier.verify(token())).toBeNull();
    nowMs = START_MS + 11_000;
    expect(await verifier.verify(token({}, START_MS + 11_000))).not.toBeNull();
  });

  test('revoke a session and a signing key permanently', async () => {
    revocations.add({ kind: 'session', id: 'session-1', not_before: at(-60) });
    expect(await verifier.verify(token())).toBeNull();
    expect(await verifier.verify(token({ sid: 'session-2' }))).not.toBeNull();
    revocations.add({ kind: 'signing_key', id: 'key-1', not_before: at(-60) });
    expect(await verifier.verify(token({ sid: 'session-2' }))).toBeNull();
  });

  test('the later of two applies, in any order of arrival', async () => {
    revocations.add({ kind: 'user', id: '7', not_before: at(10) });
    revocations.add({ kind: 'user', id: '7', not_before: at(-10) });
    expect(await verifier.verify(token())).toBeNull();
  });

  test('are removed when no token can be that old, except those of signing keys', async () => {
    for (const [kind, id] of [
      ['user', '7'],
      ['session', 'session-1'],
      ['signing_key', 'key-2'],
    ] as const) {
      revocations.add({ kind, id, not_before: at(0) });
    }
    const caller = (await verifier.verify(token({ sid: 'another' })))!;
    const early = { ...caller, issuedAt: caller.issuedAt - 1 };
    revocations.removeExpired(START_MS + REVOCATION_LIFETIME_SECONDS * 1000);
    expect(revocations.isRevoked(early)).toBe(true);
    revocations.removeExpired(START_MS + REVOCATION_LIFETIME_SECONDS * 1000 + 1);
    expect(revocations.isRevoked(early)).toBe(false);
    expect(revocations.isRevoked({ ...caller, signingKeyId: 'key-2' })).toBe(true);
  });
});

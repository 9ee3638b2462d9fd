import { createLocalJWKSet, type JWTVerifyGetKey } from 'jose';
import {
  FLEET_READ_SCOPE,
  keyAudienceOf,
  REVOCATION_LIFETIME_SECONDS,
  Revocations,
  TokenVerifier,
} from '../src/index.ts';
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

describe('a token of an API key', () => {
  const KEY_AUDIENCE = keyAudienceOf(AUDIENCE);
  const ofKey = (change: Record<string, unknown> = {}) =>
    token({
      aud: KEY_AUDIENCE,
      sub: 'key:7',
      client_id: '7',
      scope: FLEET_READ_SCOPE,
      sid: '0b9f8d0e-6a1c-4a53-8a39-3f1d1c0c7a11',
      exp: START_MS / 1000 + 900,
      ...change,
    });
  const fleetVerifier = () =>
    new TokenVerifier({
      issuer: ISSUER,
      audience: AUDIENCE,
      keyAudience: KEY_AUDIENCE,
      keys: createLocalJWKSet({ keys: [jwkOf(ours.publicKey)] } as Parameters<typeof createLocalJWKSet>[0]),
      revocations,
      now: () => nowMs,
    });

  test('is accepted with its audience, and only by a verifier that has it', async () => {
    expect(await fleetVerifier().verify(ofKey())).toEqual({
      keyId: 7,
      sessionId: '0b9f8d0e-6a1c-4a53-8a39-3f1d1c0c7a11',
      access: [{ customer_id: 3, workspace_ids: [1, 2] }],
      issuedAt: START_MS / 1000,
      expiresAt: START_MS / 1000 + 900,
      signingKeyId: 'key-1',
    });
    expect(await verifier.verify(ofKey())).toBeNull();
  });

  test.each([
    ['the audience of users', { aud: AUDIENCE }],
    ['both audiences', { aud: [AUDIENCE, KEY_AUDIENCE] }],
    ['its audience in an array', { aud: [KEY_AUDIENCE] }],
    ['the id of a user as subject', { sub: '7' }],
    ['the subject of another key', { sub: 'key:8' }],
    ['no client', { client_id: undefined }],
    ['a client that is a number', { client_id: 7 }],
    ['no scope', { scope: undefined }],
    ['another scope', { scope: 'telemetry:write' }],
    ['a scope with the same beginning', { scope: 'fleet:readwrite' }],
    ['a longer lifetime', { exp: START_MS / 1000 + 901 }],
    ['no session', { sid: '' }],
  ])('is rejected with %s', async (_, change) => {
    expect(await fleetVerifier().verify(ofKey(change))).toBeNull();
  });

  test('leaves the tokens of users valid at the same verifier', async () => {
    expect(await fleetVerifier().verify(token())).toMatchObject({ userId: 7 });
    expect(await fleetVerifier().verify(token({ aud: KEY_AUDIENCE }))).toBeNull();
  });

  test('is rejected when its session or customer is revoked, not when the user with the same id is', async () => {
    const notBefore = { not_before: new Date(START_MS + 1_000).toISOString() };
    const fleet = fleetVerifier();
    expect(await fleet.verify(ofKey())).not.toBeNull();
    revocations.add({ kind: 'user', id: '7', ...notBefore });
    expect(await fleet.verify(ofKey())).not.toBeNull();
    expect(await fleet.verify(token())).toBeNull();
    revocations.add({ kind: 'session', id: '0b9f8d0e-6a1c-4a53-8a39-3f1d1c0c7a11', ...notBefore });
    expect(await fleet.verify(ofKey())).toBeNull();
    const other = ofKey({ sid: '0b9f8d0e-6a1c-4a53-8a39-3f1d1c0c7a12' });
    expect(await fleet.verify(other)).not.toBeNull();
    revocations.add({ kind: 'customer', id: '3', ...notBefore });
    expect(await fleet.verify(other)).toBeNull();
  });
});

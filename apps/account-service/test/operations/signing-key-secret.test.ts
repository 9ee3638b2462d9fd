import { decodeProtectedHeader } from 'jose';
import { Seal } from '../../src/secrets/seal.ts';
import { CODE_VERIFIER_PURPOSE, SignInAttempts } from '../../src/sign-in/sign-in-attempts.ts';
import { SigningKeys } from '../../src/signing-keys/signing-keys.ts';
import { newOpaqueToken } from '../../src/secrets/opaque-token.ts';
import { operate } from '../support/operations.ts';
import { RunningAccountService } from '../support/running-account-service.ts';

const FORMER = 'what-encrypts-the-signing-keys-of-the-tests';
const NEXT = 'what-encrypts-the-signing-keys-from-today-on';

let service: RunningAccountService;

beforeEach(async () => {
  service = await RunningAccountService.start();
});

afterEach(() => service.stop());

/** The keys as a replica that is started with these secrets has them. */
async function replicaWith(...signingKeySecrets: string[]): Promise<SigningKeys> {
  const replica = new SigningKeys(
    service.running.runtime.database,
    {
      issuer: service.url,
      audience: 'gpu-observatory',
      signingKeySecrets,
      signingKeyMaxAgeSeconds: 30 * 24 * 3600,
    },
    service.clock,
    service.running.runtime,
  );
  await replica.refresh();
  return replica;
}

const reEncrypt = (secrets: string, ...options: string[]) =>
  operate(
    { OWNER_DATABASE_URL: service.database.ownerUrl, OPERATOR: 'olga', SIGNING_KEY_SECRET: secrets },
    ...['signing-keys', 're-encrypt', ...options],
  );

const audited = () =>
  service.database.asOwner.query({
    text: `SELECT actor, detail FROM account.audit_events WHERE action = 'signing_keys_re_encrypted'`,
  });

test('the secret changes under running replicas, step by step, and no token is refused on the way', async () => {
  const before = await service.session('ada@acme.example');
  const kid = decodeProtectedHeader(before.access_token).kid as string;

  // Each rollout leaves replicas of the step before beside it.
  const steps = [await replicaWith(FORMER, NEXT), await replicaWith(NEXT, FORMER)];
  const sealed = `sealed ${kid} under the first secret`;
  expect(await reEncrypt(`${NEXT}, ${FORMER}`)).toBe(sealed);
  expect(await reEncrypt(`${NEXT},${FORMER}`)).toBe(
    'nothing to change: every key is sealed under the first secret',
  );
  expect(JSON.parse(await reEncrypt(NEXT, '--json'))).toEqual({ sealed_anew: [], unchanged: [kid] });
  expect(await audited()).toEqual([{ actor: 'operator:olga', detail: { kids: [kid] } }]);

  steps.push(await replicaWith(FORMER, NEXT), await replicaWith(NEXT, FORMER), await replicaWith(NEXT));
  for (const replica of steps) {
    await replica.refresh();
    expect(replica.current.kid).toBe(kid);
  }
  await expect(replicaWith(FORMER)).rejects.toThrow('sealed under another SIGNING_KEY_SECRET');

  // The one that has run since the beginning knows the former secret alone, and goes on.
  await service.running.application.get(SigningKeys).refresh();
  const after = await service.session('ada@acme.example');
  for (const { access_token: token } of [before, after]) {
    expect(decodeProtectedHeader(token).kid).toBe(kid);
    expect((await service.get('/api/v1/me', token)).status).toBe(200);
  }
});

test('a key that is made meanwhile is known to every replica that has both', async () => {
  const [former, next] = [await replicaWith(FORMER, NEXT), await replicaWith(NEXT, FORMER)];
  service.clock.moveOn(30 * 24 * 3600 + 1);
  await next.refresh();
  await former.refresh();
  expect(former.published).toEqual(next.published);
  expect(next.published.keys).toHaveLength(2);
});

test('a sign-in that began before the change ends after it', async () => {
  const attemptsWith = (...secrets: string[]) =>
    new SignInAttempts(
      service.running.runtime.database,
      new Seal(secrets, CODE_VERIFIER_PURPOSE),
      service.clock,
    );
  const browser = newOpaqueToken();
  for (const [began, ended] of [
    [attemptsWith(FORMER), attemptsWith(NEXT, FORMER)],
    [attemptsWith(NEXT, FORMER), attemptsWith(FORMER, NEXT)],
  ] as const) {
    const attempt = { frontendUrl: 'http://localhost:3000', codeVerifier: newOpaqueToken() };
    const state = await began.begin('github', browser, attempt);
    expect(await ended.take('github', browser, state)).toEqual(attempt);
  }
});

test('changes nothing when no secret opens one of the keys, and says what to give', async () => {
  const stored = () =>
    service.database.asOwner.query({ text: 'SELECT kid, sealed_private_key FROM account.signing_keys' });
  await operate(
    { OWNER_DATABASE_URL: service.database.ownerUrl, SIGNING_KEY_SECRET: FORMER },
    ...['signing-keys', 'rotate'],
  );
  const [oldest] = await service.database.asOwner.query<{ kid: string }>({
    text: `UPDATE account.signing_keys SET sealed_private_key = 'something else'
            WHERE sign_from = (SELECT min(sign_from) FROM account.signing_keys) RETURNING kid`,
  });
  const before = await stored();
  await expect(reEncrypt(`${NEXT},${FORMER}`)).rejects.toThrow(
    `no secret in SIGNING_KEY_SECRET opens the key ${oldest?.kid}: give the new one, a comma, and the one it was sealed under`,
  );
  await expect(reEncrypt(NEXT)).rejects.toThrow(/SIGNING_KEY_SECRET/);
  await expect(reEncrypt('short')).rejects.toThrow('SIGNING_KEY_SECRET is not valid');
  expect(await stored()).toEqual(before);
  expect(await audited()).toEqual([]);
});

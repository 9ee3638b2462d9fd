import { DAY_MS, SECOND_MS } from '@gpu-observatory/domain-types';
import { decodeProtectedHeader } from 'jose';
import { SignInAttempts } from '../../src/sign-in/sign-in-attempts.ts';
import { SigningKeys } from '../../src/signing-keys/signing-keys.service.ts';
import { newOpaqueToken } from '../../src/secrets/opaque-token.ts';
import { runCommand } from '../support/run-command.ts';
import { RunningAccountService, SIGNING_KEY_SECRET as FORMER } from '../support/running-account-service.ts';

const NEXT = 'what-encrypts-the-signing-keys-from-today-on';

let service: RunningAccountService;

beforeEach(async () => {
  service = await RunningAccountService.start();
});

afterEach(() => service.stop());

const configWith = (signingKeySecrets: string[]) => ({
  tokens: {
    issuer: service.url,
    audience: 'gpu-observatory',
    signingKeySecrets,
    signingKeyMaxAgeSeconds: (30 * DAY_MS) / SECOND_MS,
  },
});

/** Returns the signing keys of a replica that starts with these secrets. */
async function replicaWith(...signingKeySecrets: string[]): Promise<SigningKeys> {
  const replica = new SigningKeys(
    service.running.runtime.database,
    configWith(signingKeySecrets),
    service.running.runtime,
  );
  await replica.refresh();
  return replica;
}

const reEncrypt = (secrets: string, ...options: string[]) =>
  runCommand(
    { OWNER_DATABASE_URL: service.database.ownerUrl, OPERATOR: 'olga', SIGNING_KEY_SECRET: secrets },
    ...['signing-keys', 're-encrypt', ...options],
  );

const audited = () =>
  service.database.asOwner.query({
    text: `SELECT actor, detail FROM account.audit_events WHERE action = 'signing_keys_re_encrypted'`,
  });

test('the secret can be changed under running replicas without invalidating tokens', async () => {
  const before = await service.session('ada@acme.example');
  const kid = decodeProtectedHeader(before.access_token).kid as string;

  // During each rollout, replicas of two steps run concurrently.
  const steps = [await replicaWith(FORMER, NEXT), await replicaWith(NEXT, FORMER)];
  const output = `encrypted ${kid} with the first secret`;
  expect(await reEncrypt(`${NEXT}, ${FORMER}`)).toBe(output);
  expect(await reEncrypt(`${NEXT},${FORMER}`)).toBe('nothing to change: the first secret encrypts every key');
  expect(JSON.parse(await reEncrypt(NEXT, '--json'))).toEqual({ re_encrypted: [], unchanged: [kid] });
  expect(await audited()).toEqual([{ actor: 'operator:olga', detail: { kids: [kid] } }]);

  steps.push(await replicaWith(FORMER, NEXT), await replicaWith(NEXT, FORMER), await replicaWith(NEXT));
  for (const replica of steps) {
    await replica.refresh();
    expect(replica.at(new Date()).kid).toBe(kid);
  }
  await expect(replicaWith(FORMER)).rejects.toThrow('encrypted with another SIGNING_KEY_SECRET');

  // The replica that runs since the start has only the former secret and continues to work.
  await service.running.application.get(SigningKeys).refresh();
  const after = await service.session('ada@acme.example');
  for (const { access_token: token } of [before, after]) {
    expect(decodeProtectedHeader(token).kid).toBe(kid);
    expect((await service.get('/api/v1/me', token)).status).toBe(200);
  }
});

test('every replica with both secrets reads a key created during the change', async () => {
  const [former, next] = [await replicaWith(FORMER, NEXT), await replicaWith(NEXT, FORMER)];
  await service.clock.advance((30 * DAY_MS) / SECOND_MS + 1);
  await next.refresh();
  await former.refresh();
  expect(former.published).toEqual(next.published);
  expect(next.published.keys).toHaveLength(2);
});

test('a sign-in that started before the change completes after it', async () => {
  const attemptsWith = (...secrets: string[]) =>
    new SignInAttempts(service.running.runtime.database, configWith(secrets));
  const browser = newOpaqueToken();
  for (const [started, finishing] of [
    [attemptsWith(FORMER), attemptsWith(NEXT, FORMER)],
    [attemptsWith(NEXT, FORMER), attemptsWith(FORMER, NEXT)],
  ] as const) {
    const attempt = {
      frontendUrl: 'http://localhost:3000',
      codeVerifier: newOpaqueToken(),
      codeChallenge: null,
    };
    const state = await started.start('github', browser, attempt);
    expect(await finishing.consume('github', browser, state)).toMatchObject(attempt);
  }
});

test('changes nothing when no secret decrypts one of the keys', async () => {
  const stored = () =>
    service.database.asOwner.query({ text: 'SELECT kid, encrypted_private_key FROM account.signing_keys' });
  await service.run('signing-keys', 'rotate');
  const [oldest] = await service.database.asOwner.query<{ kid: string }>({
    text: `UPDATE account.signing_keys SET encrypted_private_key = 'something else'
            WHERE sign_from = (SELECT min(sign_from) FROM account.signing_keys) RETURNING kid`,
  });
  const before = await stored();
  await expect(reEncrypt(`${NEXT},${FORMER}`)).rejects.toThrow(
    `no secret in SIGNING_KEY_SECRET decrypts the key ${oldest?.kid}: set it to the new secret, a comma, and the secret`,
  );
  await expect(reEncrypt(NEXT)).rejects.toThrow(/SIGNING_KEY_SECRET/);
  await expect(reEncrypt('short')).rejects.toThrow('SIGNING_KEY_SECRET is not valid');
  expect(await stored()).toEqual(before);
  expect(await audited()).toEqual([]);
});

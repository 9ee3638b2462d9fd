import { calculateJwkThumbprint, exportJWK, generateKeyPair, SignJWT } from 'jose';
import { SigningKeys } from '../../src/signing-keys/signing-keys.service.ts';
import { RunningAccountService } from '../support/running-account-service.ts';

/** An attacker who can write to the key table must not become a token issuer. */
let service: RunningAccountService;

beforeEach(async () => {
  service = await RunningAccountService.start();
});

afterEach(() => service.stop());

const reloadKeys = () => service.running.application.get(SigningKeys).refresh();
const published = async () =>
  ((await (await service.get('/.well-known/jwks.json')).json()) as { keys: { kid: string; x: string }[] })
    .keys;

/** Inserts a foreign public key with the given encrypted part, an SQL expression. */
async function plant(encryptedPart: string) {
  const { publicKey, privateKey } = await generateKeyPair('ES256');
  const jwk = await exportJWK(publicKey);
  const kid = await calculateJwkThumbprint(jwk);
  await service.database.asService.query({
    text: `INSERT INTO account.signing_keys (kid, public_jwk, encrypted_private_key, published_at, sign_from)
           SELECT $1, $2, ${encryptedPart}, now(), now() + interval '1 day'`,
    values: [kid, JSON.stringify({ ...jwk, kid, alg: 'ES256', use: 'sig' })],
  });
  return { kid, x: jwk.x, privateKey };
}

test.each([
  ['with the encrypted part of a real key', '(SELECT encrypted_private_key FROM account.signing_keys)'],
  ['with garbage', "'garbage'::bytea"],
  ['with an empty encrypted part', "''::bytea"],
])('neither publishes nor trusts a planted public key %s', async (_, encryptedPart) => {
  const { access_token: token } = await service.session('ada@acme.example');
  const [own] = await published();
  const { kid, privateKey } = await plant(encryptedPart);
  await reloadKeys();
  expect(await published()).toEqual([own]);

  const [header = '', payload = ''] = token
    .split('.')
    .map((part) => Buffer.from(part, 'base64url').toString());
  const forged = await new SignJWT(JSON.parse(payload) as Record<string, unknown>)
    .setProtectedHeader({ ...(JSON.parse(header) as { alg: string }), kid })
    .sign(privateKey);
  expect((await service.get('/api/v1/me', forged)).status).toBe(401);
  expect((await service.get('/api/v1/me', token)).status).toBe(200);
  expect((await service.session('ada@acme.example')).token_type).toBe('Bearer');
});

test('a planted row does not hide the withdrawal of a real key', async () => {
  const { access_token: token } = await service.session('ada@acme.example');
  const next = (await service.run('signing-keys', 'rotate')).replace('published ', '');
  await plant("'garbage'::bytea");
  await reloadKeys();
  const stolen = (await published()).map((key) => key.kid).find((kid) => kid !== next) as string;
  await service.database.asOwner.query({
    text: 'UPDATE account.signing_keys SET withdrawn_at = now() WHERE kid = $1',
    values: [stolen],
  });
  await reloadKeys();
  expect((await published()).map((key) => key.kid)).toEqual([next]);
  expect((await service.get('/api/v1/me', token)).status).toBe(401);
});

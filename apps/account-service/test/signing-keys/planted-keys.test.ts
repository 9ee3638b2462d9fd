import { calculateJwkThumbprint, exportJWK, generateKeyPair, SignJWT } from 'jose';
import { createLogger, Database } from '@gpu-observatory/service-runtime';
import { SigningKeys } from '../../src/signing-keys/signing-keys.ts';
import { operate } from '../support/operations.ts';
import { RunningAccountService } from '../support/running-account-service.ts';

/** Whoever can write to the table of keys, through a flaw of the service say, must not become an issuer. */
let service: RunningAccountService;
let asService: Database;

beforeEach(async () => {
  service = await RunningAccountService.start();
  asService = new Database({
    url: service.database.serviceUrl,
    poolSize: 1,
    namedStatements: false,
    applicationName: 'test',
    logger: createLogger('test', 'silent'),
  });
});

afterEach(async () => {
  await asService.stop();
  await service.stop();
});

const readAnew = () => service.running.application.get(SigningKeys).refresh();
const published = async () =>
  ((await (await service.get('/.well-known/jwks.json')).json()) as { keys: { kid: string; x: string }[] })
    .keys;

/** Plants a public key of a stranger; its sealed part as given by SQL. */
async function plant(sealed: string) {
  const { publicKey, privateKey } = await generateKeyPair('ES256');
  const jwk = await exportJWK(publicKey);
  const kid = await calculateJwkThumbprint(jwk);
  await asService.query({
    text: `INSERT INTO account.signing_keys (kid, public_jwk, sealed_private_key, published_at, sign_from)
           SELECT $1, $2, ${sealed}, now(), now() + interval '1 day'`,
    values: [kid, JSON.stringify({ ...jwk, kid, alg: 'ES256', use: 'sig' })],
  });
  return { kid, x: jwk.x, privateKey };
}

test.each([
  ['beside a sealed part copied from a real key', '(SELECT sealed_private_key FROM account.signing_keys)'],
  ['beside rubbish', "'rubbish'::bytea"],
  ['beside nothing', "''::bytea"],
])('a public key planted %s is neither published nor believed', async (_, sealed) => {
  const { access_token: token } = await service.session('ada@acme.example');
  const [own] = await published();
  const { kid, privateKey } = await plant(sealed);
  await readAnew();
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

test('a planted row does not hide that a real key was withdrawn', async () => {
  const { access_token: token } = await service.session('ada@acme.example');
  const environment = {
    OWNER_DATABASE_URL: service.database.ownerUrl,
    SIGNING_KEY_SECRET: 'what-encrypts-the-signing-keys-of-the-tests',
  };
  const next = (await operate(environment, 'signing-keys', 'rotate')).replace('published ', '');
  await plant("'rubbish'::bytea");
  await readAnew();
  const stolen = (await published()).map((key) => key.kid).find((kid) => kid !== next) as string;
  await service.database.asOwner.query({
    text: 'UPDATE account.signing_keys SET withdrawn_at = now() WHERE kid = $1',
    values: [stolen],
  });
  await readAnew();
  expect((await published()).map((key) => key.kid)).toEqual([next]);
  expect((await service.get('/api/v1/me', token)).status).toBe(401);
});

import { DAY_MS, SECOND_MS } from '@gpu-observatory/domain-types';
import { decodeProtectedHeader } from 'jose';
import { RETIREMENT_DELAY_SECONDS } from '../../src/signing-keys/rotation.ts';
import { SigningKeys } from '../../src/signing-keys/signing-keys.service.ts';
import { RunningAccountService, SIGNING_KEY_SECRET } from '../support/running-account-service.ts';
import { runCommand } from '../support/run-command.ts';

let service: RunningAccountService;

beforeEach(async () => {
  service = await RunningAccountService.start();
});

afterEach(() => service.stop());

const published = async () => {
  const response = await service.get('/.well-known/jwks.json');
  const { keys } = (await response.json()) as { keys: Record<string, string>[] };
  return keys;
};
const keyOf = (token: string) => decodeProtectedHeader(token).kid;
const rotate = async () => (await service.run('signing-keys', 'rotate')).replace('published ', '');
const reloadKeys = () => service.running.application.get(SigningKeys).refresh();

test('the first start creates a key and publishes its public part', async () => {
  const response = await service.get('/.well-known/jwks.json');
  expect(response.headers.get('cache-control')).toBe('public, max-age=60');
  expect(await response.json()).toEqual({
    keys: [
      {
        kty: 'EC',
        crv: 'P-256',
        alg: 'ES256',
        use: 'sig',
        kid: expect.stringMatching(/^[\w-]{43}$/),
        x: expect.stringMatching(/^[\w-]{43}$/),
        y: expect.stringMatching(/^[\w-]{43}$/),
      },
    ],
  });
});

test('replicas that start concurrently share one key', async () => {
  const { config, database } = replicas();
  const others = Array.from({ length: 8 }, () => new SigningKeys(database, config, service.running.runtime));
  await service.database.asOwner.query({ text: 'DELETE FROM account.signing_keys' });
  await Promise.all(others.map((replica) => replica.refresh()));
  expect(new Set(others.map((replica) => replica.at(new Date()).kid)).size).toBe(1);
});

test('rotation publishes a key before it signs, and keeps issued tokens valid', async () => {
  const before = await service.session('ada@acme.example');
  const kid = await rotate();
  await reloadKeys();
  expect((await published()).map((key) => key.kid)).toEqual([kid, keyOf(before.access_token)]);

  const between = await service.session('ada@acme.example');
  expect(keyOf(between.access_token)).toBe(keyOf(before.access_token));
  await service.clock.advance(601);
  const after = await service.session('ada@acme.example');
  expect(keyOf(after.access_token)).toBe(kid);
  for (const { access_token: token } of [before, between, after]) {
    expect((await service.get('/api/v1/me', token)).status).toBe(200);
  }

  const { signing_keys: listed } = JSON.parse(await service.run('signing-keys', 'list', '--json')) as {
    signing_keys: { kid: string; retire_at: string | null }[];
  };
  expect(listed.map((key) => [key.kid, key.retire_at === null])).toEqual([
    [kid, true],
    [keyOf(before.access_token), false],
  ]);
  await service.clock.advance(RETIREMENT_DELAY_SECONDS);
  await reloadKeys();
  expect((await published()).map((key) => key.kid)).toEqual([kid]);
});

test('a key of maximum age is rotated automatically', async () => {
  const [first] = await published();
  await service.clock.advance((30 * DAY_MS) / SECOND_MS + 1);
  await reloadKeys();
  const keys = await published();
  expect(keys).toHaveLength(2);
  expect(keys[1]).toEqual(first);
});

test('rejects a key that was encrypted with another secret', async () => {
  const { config, database } = replicas();
  const other = new SigningKeys(
    database,
    { tokens: { ...config.tokens, signingKeySecrets: ['another-secret-than-the-one-that-encrypted-it'] } },
    service.running.runtime,
  );
  await expect(other.refresh()).rejects.toThrow(
    'a stored secret was encrypted with another SIGNING_KEY_SECRET, or altered',
  );
  expect(() => other.at(new Date())).toThrow('the signing key set is unavailable');
});

function replicas() {
  return {
    database: service.running.runtime.database,
    config: {
      tokens: {
        issuer: service.url,
        audience: 'gpu-observatory',
        signingKeySecrets: [SIGNING_KEY_SECRET],
        signingKeyMaxAgeSeconds: (30 * DAY_MS) / SECOND_MS,
      },
    },
  };
}

describe('withdrawing a key', () => {
  const withdraw = (kid: string, ...options: string[]) =>
    service.run('signing-keys', 'withdraw', kid, ...options);

  test('invalidates its tokens within 2 s, and a replacement signs', async () => {
    const before = await service.session('ada@acme.example');
    const stolen = keyOf(before.access_token) as string;
    await expect(withdraw(stolen)).rejects.toThrow('repeat the command with --yes');
    await expect(
      runCommand(
        { OWNER_DATABASE_URL: service.database.ownerUrl, SIGNING_KEY_SECRET: 'x'.repeat(32) },
        'signing-keys',
        'rotate',
      ),
    ).rejects.toThrow('SIGNING_KEY_SECRET decrypts none of the stored signing keys');
    const { withdrawn, replacement } = JSON.parse(await withdraw(stolen, '--yes', '--json')) as {
      withdrawn: string;
      replacement: string;
    };
    expect(withdrawn).toBe(stolen);
    await service.within2Seconds(
      async () => (await service.get('/api/v1/me', before.access_token)).status === 401,
    );
    await service.within2Seconds(async () => {
      const { access_token: token } = (await (await service.refresh(before.refresh_token)).json()) as {
        access_token: string;
      };
      return keyOf(token) === replacement && (await service.get('/api/v1/me', token)).status === 200;
    });
    expect((await published()).map((key) => key['kid'])).toEqual([replacement]);
    await expect(withdraw(stolen, '--yes')).rejects.toThrow(
      `signing key ${stolen} does not exist or is already withdrawn`,
    );
    const rows = await service.database.asOwner.query({
      text: `SELECT detail FROM account.audit_events WHERE action = 'signing_key_withdrawn'`,
    });
    expect(rows).toEqual([{ detail: { kid: stolen, replacement } }]);
  });
});

import { decodeProtectedHeader } from 'jose';
import { SigningKeys } from '../../src/signing-keys/signing-keys.ts';
import { RunningAccountService } from '../support/running-account-service.ts';
import { operate } from '../support/operations.ts';

let service: RunningAccountService;

beforeEach(async () => {
  service = await RunningAccountService.start();
});

afterEach(() => service.stop());

const published = async () => {
  const answer = await service.get('/.well-known/jwks.json');
  const { keys } = (await answer.json()) as { keys: Record<string, string>[] };
  return keys;
};
const keyOf = (token: string) => decodeProtectedHeader(token).kid;
const readAnew = () => service.running.application.get(SigningKeys).refresh();

test('the first start makes a key, which is published without its private part', async () => {
  const answer = await service.get('/.well-known/jwks.json');
  expect(answer.headers.get('cache-control')).toBe('public, max-age=60');
  expect(await answer.json()).toEqual({
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

test('replicas that start at once share one key', async () => {
  const { config, database } = replicas();
  const others = Array.from(
    { length: 8 },
    () => new SigningKeys(database, config, service.clock, service.running.runtime),
  );
  await service.database.asOwner.query({ text: 'DELETE FROM account.signing_keys' });
  await Promise.all(others.map((replica) => replica.refresh()));
  expect(new Set(others.map((replica) => replica.current.kid)).size).toBe(1);
});

test('rotation publishes first, signs later, and refuses no valid token on the way', async () => {
  const before = await service.session('ada@acme.example');
  const environment = {
    OWNER_DATABASE_URL: service.database.ownerUrl,
    SIGNING_KEY_SECRET: 'what-encrypts-the-signing-keys-of-the-tests',
  };
  const kid = (await operate(environment, 'signing-keys', 'rotate')).replace('published ', '');
  await readAnew();
  expect((await published()).map((key) => key.kid)).toEqual([kid, keyOf(before.access_token)]);

  const between = await service.session('ada@acme.example');
  expect(keyOf(between.access_token)).toBe(keyOf(before.access_token));
  service.clock.moveOn(601);
  const after = await service.session('ada@acme.example');
  expect(keyOf(after.access_token)).toBe(kid);
  for (const { access_token: token } of [before, between, after]) {
    expect((await service.get('/api/v1/me', token)).status).toBe(200);
  }

  const { signing_keys: listed } = JSON.parse(
    await operate(environment, 'signing-keys', 'list', '--json'),
  ) as {
    signing_keys: { kid: string; retire_at: string | null }[];
  };
  expect(listed.map((key) => [key.kid, key.retire_at === null])).toEqual([
    [kid, true],
    [keyOf(before.access_token), false],
  ]);
  service.clock.moveOn(6 * 3600 + 600);
  await readAnew();
  expect((await published()).map((key) => key.kid)).toEqual([kid]);
});

test('a key that has come of age gets a successor by itself', async () => {
  const [first] = await published();
  service.clock.moveOn(30 * 24 * 3600 + 1);
  await readAnew();
  const keys = await published();
  expect(keys).toHaveLength(2);
  expect(keys[1]).toEqual(first);
});

test('a key sealed under another secret is not used', async () => {
  const { config, database } = replicas();
  const stranger = new SigningKeys(
    database,
    { ...config, signingKeySecrets: ['another-secret-than-the-one-it-was-sealed-with'] },
    service.clock,
    service.running.runtime,
  );
  await expect(stranger.refresh()).rejects.toThrow(
    'what is stored was sealed under another SIGNING_KEY_SECRET, or altered',
  );
  expect(() => stranger.current).toThrow('the signing keys does not answer');
});

function replicas() {
  return {
    database: service.running.runtime.database,
    config: {
      issuer: service.url,
      audience: 'gpu-observatory',
      signingKeySecrets: ['what-encrypts-the-signing-keys-of-the-tests'],
      signingKeyMaxAgeSeconds: 30 * 24 * 3600,
    },
  };
}

describe('a stolen key', () => {
  const withdraw = (kid: string, ...options: string[]) =>
    operate(
      {
        OWNER_DATABASE_URL: service.database.ownerUrl,
        SIGNING_KEY_SECRET: 'what-encrypts-the-signing-keys-of-the-tests',
      },
      'signing-keys',
      'withdraw',
      kid,
      ...options,
    );

  test('is withdrawn: its tokens are refused within 2 s, and another signs', async () => {
    const before = await service.session('ada@acme.example');
    const stolen = keyOf(before.access_token) as string;
    await expect(withdraw(stolen)).rejects.toThrow('repeat the command with --yes');
    await expect(
      operate(
        { OWNER_DATABASE_URL: service.database.ownerUrl, SIGNING_KEY_SECRET: 'x'.repeat(32) },
        'signing-keys',
        'rotate',
      ),
    ).rejects.toThrow('SIGNING_KEY_SECRET is not the one that the stored keys are sealed under');
    const { withdrawn, signs_now: heir } = JSON.parse(await withdraw(stolen, '--yes', '--json')) as {
      withdrawn: string;
      signs_now: string;
    };
    expect(withdrawn).toBe(stolen);
    await service.within2Seconds(
      async () => (await service.get('/api/v1/me', before.access_token)).status === 401,
    );
    await service.within2Seconds(async () => {
      const { access_token: token } = (await (await service.refresh(before.refresh_token)).json()) as {
        access_token: string;
      };
      return keyOf(token) === heir && (await service.get('/api/v1/me', token)).status === 200;
    });
    expect((await published()).map((key) => key['kid'])).toEqual([heir]);
    await expect(withdraw(stolen, '--yes')).rejects.toThrow(`there is no key ${stolen} to withdraw`);
    const rows = await service.database.asOwner.query({
      text: `SELECT detail FROM account.audit_events WHERE action = 'signing_key_withdrawn'`,
    });
    expect(rows).toEqual([{ detail: { kid: stolen, heir } }]);
  });

  test('that did not sign yet takes nothing from the one that signs', async () => {
    const { access_token: token } = await service.session('ada@acme.example');
    const environment = {
      OWNER_DATABASE_URL: service.database.ownerUrl,
      SIGNING_KEY_SECRET: 'what-encrypts-the-signing-keys-of-the-tests',
    };
    const next = (await operate(environment, 'signing-keys', 'rotate')).replace('published ', '');
    const first = keyOf(token) as string;
    expect(await withdraw(next, '--yes')).toBe(`withdrew ${next}; ${first} signs now`);
    service.clock.moveOn(7 * 3600);
    await readAnew();
    expect((await published()).map((key) => key['kid'])).toEqual([first]);
    expect(keyOf((await service.session('ada@acme.example')).access_token)).toBe(first);
  });

  test('is followed by the one that was published ahead, before its time', async () => {
    const { access_token: token } = await service.session('ada@acme.example');
    const environment = {
      OWNER_DATABASE_URL: service.database.ownerUrl,
      SIGNING_KEY_SECRET: 'what-encrypts-the-signing-keys-of-the-tests',
    };
    const next = (await operate(environment, 'signing-keys', 'rotate')).replace('published ', '');
    const stolen = keyOf(token) as string;
    expect(await withdraw(stolen, '--yes')).toBe(`withdrew ${stolen}; ${next} signs now`);
    await readAnew();
    expect(keyOf((await service.session('ada@acme.example')).access_token)).toBe(next);
  });
});

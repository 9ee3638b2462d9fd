import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  httpRevocationSource,
  remoteSigningKeys,
  RevocationFeed,
  TokenVerifier,
} from '@gpu-observatory/token-verification';
import { operate } from './support/operations.ts';
import { type Answer, Replicas } from './support/replicas.ts';
import { INTERNAL_CREDENTIAL, type SessionTokens } from './support/running-account-service.ts';

const SIGNING_KEY_SECRET = 'what-encrypts-the-signing-keys-of-the-tests';

let replicas: Replicas;
/** As fleet-api verifies: with the published keys and the feed of the internal port. */
let verifier: TokenVerifier;
let stopFollowing: () => void = () => undefined;
/** Every secret that was given out, to be looked for at the end. */
const secrets = new Set<string>();

beforeAll(async () => {
  replicas = await Replicas.start(3);
  const keys = remoteSigningKeys(`${replicas.urls[1]}/.well-known/jwks.json`);
  const feed = new RevocationFeed(
    httpRevocationSource(replicas.internalUrls[2] as string, INTERNAL_CREDENTIAL),
  );
  keys.start();
  await feed.start();
  stopFollowing = () => {
    keys.stop();
    feed.stop();
  };
  verifier = new TokenVerifier({
    issuer: replicas.urls[0] as string,
    audience: 'gpu-observatory',
    keys: keys.keys,
    revocations: feed.revocations,
  });
}, 90_000);

afterAll(async () => {
  stopFollowing();
  await replicas?.stop();
});

async function session(email: string): Promise<SessionTokens> {
  const tokens = await replicas.session(email);
  secrets.add(tokens.access_token).add(tokens.refresh_token);
  return tokens;
}

/** Issues many codes of one user at once, as sign-ins would. */
async function issueCodes(count: number): Promise<string[]> {
  const codes = Array.from({ length: count }, (_, index) =>
    createHash('sha256').update(`code ${index} ${Math.random()}`).digest('base64url'),
  );
  await replicas.database.asOwner.query({
    text: `INSERT INTO account.authorization_codes (code_hash, user_id, provider, frontend_url, expires_at)
           SELECT sha256(convert_to(code, 'UTF8')), 1, 'github', 'http://localhost:3000', now() + interval '10 minutes'
             FROM unnest($1::text[]) AS code`,
    values: [codes],
  });
  for (const code of codes) secrets.add(code);
  return codes;
}

const statuses = (answers: Answer[]) => answers.map(({ status }) => status);
const count = (answers: Answer[], status: number) =>
  statuses(answers).filter((each) => each === status).length;

test('100 first sign-ins of one person at once make one user', async () => {
  // Fifty at a time reach the provider within its 5 s on a small machine too; the first fifty race for the user.
  const ends: URL[] = [];
  for (let round = 0; round < 2; round += 1) {
    ends.push(...(await Promise.all(Array.from({ length: 50 }, () => replicas.signIn('ada@acme.example')))));
  }
  for (const end of ends) secrets.add(end.searchParams.get('code') as string);
  expect(ends.every((end) => end.searchParams.has('code'))).toBe(true);
  const people = await replicas.database.asOwner.query({
    text: `SELECT email, administrator, (SELECT count(*)::integer FROM account.user_identities) AS identities
             FROM account.users`,
  });
  expect(people).toEqual([{ email: 'ada@acme.example', administrator: true, identities: 1 }]);
}, 60_000);

test('200 codes, each redeemed 100 times at once over three processes, make exactly 200 sessions', async () => {
  const codes = await issueCodes(200);
  const successes: number[] = [];
  for (let first = 0; first < codes.length; first += 5) {
    const answers = await Promise.all(
      codes
        .slice(first, first + 5)
        .map((code) => Promise.all(Array.from({ length: 100 }, (_, index) => replicas.redeem(index, code)))),
    );
    for (const ofOneCode of answers) {
      successes.push(count(ofOneCode, 200));
      expect(count(ofOneCode, 401)).toBe(99);
    }
  }
  expect(successes).toEqual(Array(200).fill(1));
  const [made] = await replicas.database.asOwner.query({
    text: 'SELECT count(*)::integer AS sessions FROM account.sessions',
  });
  expect(made).toEqual({ sessions: 200 });
}, 120_000);

test('a wrong redirect_uri that races the right one: never both, and the code is burned', async () => {
  const codes = await issueCodes(30);
  for (const code of codes) {
    const answers = await Promise.all([
      replicas.redeem(0, code, 'http://localhost:3001'),
      replicas.redeem(1, code),
      replicas.redeem(2, code, 'http://localhost:3000/'),
      replicas.redeem(2, code),
    ]);
    expect(count(answers, 200)).toBeLessThanOrEqual(1);
    expect(count(answers, 200) + count(answers, 401)).toBe(4);
    expect((await replicas.redeem(0, code)).status).toBe(401);
  }
}, 60_000);

test('a refresh that races the sign-out leaves no token that works 2 s later', async () => {
  const { refresh_token: refreshToken } = await session('ada@acme.example');
  const racing = Array.from({ length: 30 }, (_, index) => replicas.refresh(index, refreshToken));
  await replicas.send(1, 'POST', '/api/v1/auth/logout', { body: { refresh_token: refreshToken } });
  const answers = await Promise.all(racing);
  await sleep(2_000);
  for (const { status, body } of answers) {
    expect([200, 401]).toContain(status);
    if (status !== 200) continue;
    const { access_token: token } = JSON.parse(body) as SessionTokens;
    secrets.add(token);
    expect(await verifier.verify(token)).toBeNull();
    for (let replica = 0; replica < 3; replica += 1) {
      expect((await replicas.send(replica, 'GET', '/api/v1/me', { token })).status).toBe(401);
    }
  }
  expect((await replicas.refresh(2, refreshToken)).status).toBe(401);
});

describe('what is revoked is refused within 2 s by every process, and by whoever follows the feed', () => {
  const run = (...words: string[]) =>
    operate({ OWNER_DATABASE_URL: replicas.database.ownerUrl, SIGNING_KEY_SECRET }, ...words);
  const apply = (yaml: string) => replicas.database.applyTenants(yaml);
  const acme = (members: string) =>
    apply(`customers: [{ slug: acme, name: Acme, domains: [acme.example], workspaces: [
             { slug: research, name: Research, members: { ${members} } }, { slug: production, name: Production }] }]`);

  test.each<[string, string, () => Promise<unknown>, (tokens: SessionTokens) => Promise<unknown>]>([
    [
      'sign-out',
      'ada@acme.example',
      async () => undefined,
      ({ access_token: token }) => replicas.send(2, 'POST', '/api/v1/auth/logout', { token }),
    ],
    ['a removed member', 'vera@acme.example', () => acme('vera@acme.example: member'), () => acme('')],
    [
      'a disabled user',
      'alan@acme.example',
      async () => undefined,
      () => run('users', 'disable', 'alan@acme.example'),
    ],
    [
      'a disabled customer',
      'grace@globex.example',
      async () => undefined,
      () =>
        apply(
          'customers: [{ slug: globex, name: Globex, active: false, domains: [globex.example], workspaces: [{ slug: main, name: Main }] }]',
        ),
    ],
    // Last: a verifier that just read the keys may not know the next one for half a minute.
    [
      'a withdrawn signing key',
      'ada@acme.example',
      async () => undefined,
      async () => {
        const { signing_keys: keys } = JSON.parse(await run('signing-keys', 'list', '--json')) as {
          signing_keys: { kid: string }[];
        };
        await run('signing-keys', 'withdraw', keys[0]?.kid as string, '--yes');
      },
    ],
  ])(
    '%s',
    async (_, email, prepare, revoke) => {
      await prepare();
      const tokens = await session(email);
      const token = tokens.access_token;
      const works = async () => [
        ...(await Promise.all(
          [0, 1, 2].map(
            async (replica) => (await replicas.send(replica, 'GET', '/api/v1/me', { token })).status === 200,
          ),
        )),
        (await verifier.verify(token)) !== null,
      ];
      expect(await works()).toEqual([true, true, true, true]);
      await revoke(tokens);
      await sleep(2_000);
      expect(await works()).toEqual([false, false, false, false]);
    },
    30_000,
  );
});

test('none of the codes, tokens and keys that were given out is in the database or in a log', async () => {
  // By now every replica signs with the key that came after the withdrawn one.
  await sleep(1_500);
  const { access_token: token } = await session('ada@acme.example');
  const made = await replicas.send(0, 'POST', '/api/v1/keys/', {
    token,
    body: { name: 'rack', workspace_id: 1 },
  });
  const { key, id } = (JSON.parse(made.body) as { api_key: { key: string; id: number } }).api_key;
  const rotated = await replicas.send(1, 'POST', `/api/v1/keys/${id}/rotate`, { token });
  secrets.add(key).add((JSON.parse(rotated.body) as { api_key: { key: string } }).api_key.key);
  for (const secret of [key, 'x']) {
    await fetch(`${replicas.internalUrls[0]}/internal/v1/keys/introspect`, {
      method: 'POST',
      headers: { authorization: `Bearer ${INTERNAL_CREDENTIAL}`, 'content-type': 'application/json' },
      body: JSON.stringify({ key: secret }),
    });
  }
  secrets.add(INTERNAL_CREDENTIAL).add(SIGNING_KEY_SECRET).add('github-secret');
  // Whoever puts a secret into an address finds it in no log either.
  await replicas.send(0, 'GET', `/api/v1/me?token=${token}`, { token });

  const tables = await replicas.database.asOwner.query<{ name: string }>({
    text: "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'account'",
  });
  let dump = '';
  for (const { name } of tables) {
    const rows = await replicas.database.asOwner.query<{ row: string }>({
      text: `SELECT row_to_json(t)::text AS row FROM account.${name} AS t`,
    });
    dump += rows.map(({ row }) => row).join('\n');
  }
  const { log } = replicas;
  expect(dump).toContain('ada@acme.example');
  expect(log).toContain('"route":"/api/v1/auth/token"');
  expect(secrets.size).toBeGreaterThan(10);
  for (const [place, text] of [
    ['database', dump],
    ['log', log],
  ] as const) {
    const found = [...secrets].filter((secret) =>
      [secret, Buffer.from(secret).toString('hex'), Buffer.from(secret, 'base64url').toString('hex')].some(
        (form) => text.includes(form),
      ),
    );
    expect([place, found]).toEqual([place, []]);
    expect(text).not.toContain('PRIVATE KEY');
  }
}, 60_000);

import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  httpRevocationSource,
  remoteSigningKeys,
  RevocationFeed,
  TokenVerifier,
} from '@gpu-observatory/token-verification';
import { hashPassword } from '../src/sign-in/passwords/password-hash.ts';
import { runCommand } from './support/run-command.ts';
import { type HttpResponse, Replicas } from './support/replicas.ts';
import {
  INTERNAL_CREDENTIAL,
  type SessionTokens,
  SIGNING_KEY_SECRET,
} from './support/running-account-service.ts';

const [SIGN_INS, CODES, REDEMPTIONS] = process.env['NIGHTLY_SEED'] ? [100, 200, 100] : [10, 10, 20];

let replicas: Replicas;
/** Verifies like fleet-api: with the published keys and the internal revocation feed. */
let verifier: TokenVerifier;
let stopFollowing: () => void = () => undefined;
/** Every issued secret, to search for at the end. */
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
});

afterAll(async () => {
  stopFollowing();
  await replicas?.stop();
});

async function session(email: string): Promise<SessionTokens> {
  const tokens = await replicas.session(email);
  secrets.add(tokens.access_token).add(tokens.refresh_token);
  return tokens;
}

/** Issues authorization codes of one user. */
async function issueCodes(count: number): Promise<string[]> {
  const codes = Array.from({ length: count }, (_, index) =>
    createHash('sha256').update(`code ${index} ${Math.random()}`).digest('base64url'),
  );
  await replicas.database.asOwner.query({
    text: `INSERT INTO account.authorization_codes (code_hash, user_id, sign_in_method, frontend_url, browser_hash, expires_at)
           SELECT sha256(convert_to(code, 'UTF8')), 1, 'github', 'http://localhost:3000', '', now() + interval '10 minutes'
             FROM unnest($1::text[]) AS code`,
    values: [codes],
  });
  for (const code of codes) secrets.add(code);
  return codes;
}

/** Waits up to 2 s, the deadline of a revocation, until no check succeeds. */
async function expectInvalidWithin2Seconds(check: () => Promise<boolean[]>): Promise<void> {
  const deadline = Date.now() + 2_000;
  for (;;) {
    const isLast = Date.now() > deadline;
    const valid = await check();
    if (!valid.includes(true)) return;
    if (isLast) expect(valid).not.toContain(true);
    await sleep(50);
  }
}

/** Returns whether a token is valid at each replica and for the verifier. */
async function checkEverywhere(token: string): Promise<boolean[]> {
  const responses = [0, 1, 2].map((replica) => replicas.send(replica, 'GET', '/api/v1/me', { token }));
  return [
    ...(await Promise.all(responses)).map(({ status }) => status === 200),
    (await verifier.verify(token)) !== null,
  ];
}

const statuses = (responses: HttpResponse[]) => responses.map(({ status }) => status);
const count = (responses: HttpResponse[], status: number) =>
  statuses(responses).filter((each) => each === status).length;
/** An overloaded machine may respond 503 instead of 401. */
const rejected = (responses: HttpResponse[]) => count(responses, 401) + count(responses, 503);

test(`${SIGN_INS} concurrent first sign-ins of one person create one user`, async () => {
  const approve = async () => {
    const approved = await replicas.approveSignIn('ada@acme.example');
    for (const secret of approved.secrets) secrets.add(secret);
    return approved;
  };
  const approved = [];
  for (let browser = 0; browser < SIGN_INS; browser += 1) approved.push(await approve());
  const ends = await Promise.all(
    approved.map(async ({ finish }, index) => {
      let end = await finish(index);
      while (end === undefined) end = await (await approve()).finish(index);
      return end;
    }),
  );
  for (const end of ends) secrets.add(end.searchParams.get('code') as string);
  expect(ends.map((end) => [...end.searchParams.keys()])).toEqual(Array(SIGN_INS).fill(['code']));
  const people = await replicas.database.asOwner.query({
    text: `SELECT email, administrator, (SELECT count(*)::integer FROM account.user_identities) AS identities
             FROM account.users`,
  });
  expect(people).toEqual([{ email: 'ada@acme.example', administrator: true, identities: 1 }]);
});

test(`${CODES} codes, each redeemed ${REDEMPTIONS} times concurrently by three processes, create exactly ${CODES} sessions`, async () => {
  const codes = await issueCodes(CODES);
  const successes: number[] = [];
  for (let first = 0; first < codes.length; first += 2) {
    const responses = await Promise.all(
      codes
        .slice(first, first + 2)
        .map((code) =>
          Promise.all(Array.from({ length: REDEMPTIONS }, (_, index) => replicas.redeem(index, code))),
        ),
    );
    for (const codeResponses of responses) {
      successes.push(count(codeResponses, 200));
      expect(rejected(codeResponses)).toBe(REDEMPTIONS - 1);
    }
  }
  expect(successes).toEqual(Array(CODES).fill(1));
  const [row] = await replicas.database.asOwner.query({
    text: 'SELECT count(*)::integer AS sessions FROM account.sessions',
  });
  expect(row).toEqual({ sessions: CODES });
});

test('concurrent exchanges with a right and a wrong redirect_uri create at most one session and burn the code', async () => {
  const codes = await issueCodes(30);
  for (const code of codes) {
    const responses = await Promise.all([
      replicas.redeem(0, code, 'http://localhost:3001'),
      replicas.redeem(1, code),
      replicas.redeem(2, code, 'http://localhost:3000/'),
      replicas.redeem(2, code),
    ]);
    expect(count(responses, 200)).toBeLessThanOrEqual(1);
    expect(count(responses, 200) + rejected(responses)).toBe(4);
    expect((await replicas.redeem(0, code)).status).toBe(401);
  }
});

test('no token of a refresh concurrent with sign-out is valid after 2 s', async () => {
  const { refresh_token: refreshToken } = await session('ada@acme.example');
  const racing = Array.from({ length: 30 }, (_, index) => replicas.refresh(index, refreshToken));
  await replicas.send(1, 'POST', '/api/v1/auth/logout', { body: { refresh_token: refreshToken } });
  const responses = await Promise.all(racing);
  expect(count(responses, 200) + rejected(responses)).toBe(30);
  const tokens = responses
    .filter(({ status }) => status === 200)
    .map(({ body }) => (JSON.parse(body) as SessionTokens).access_token);
  for (const token of tokens) secrets.add(token);
  await expectInvalidWithin2Seconds(async () => (await Promise.all(tokens.map(checkEverywhere))).flat());
  expect((await replicas.refresh(2, refreshToken)).status).toBe(401);
});

describe('every process and every follower of the feed rejects a token within 2 s of', () => {
  const run = (...args: string[]) =>
    runCommand({ OWNER_DATABASE_URL: replicas.database.ownerUrl, SIGNING_KEY_SECRET }, ...args);

  test.each<[string, (tokens: SessionTokens) => Promise<unknown>]>([
    ['a sign-out', ({ access_token: token }) => replicas.send(2, 'POST', '/api/v1/auth/logout', { token })],
    // Last, because a verifier that just refreshed may not read the next key for 30 s.
    [
      'the withdrawal of a signing key',
      async () => {
        const { signing_keys: keys } = JSON.parse(await run('signing-keys', 'list', '--json')) as {
          signing_keys: { kid: string }[];
        };
        await run('signing-keys', 'withdraw', keys[0]?.kid as string, '--yes');
      },
    ],
  ])('%s', async (_, revoke) => {
    const tokens = await session('ada@acme.example');
    const check = () => checkEverywhere(tokens.access_token);
    expect(await check()).toEqual([true, true, true, true]);
    await revoke(tokens);
    await expectInvalidWithin2Seconds(check);
  });
});

test('the database and the logs contain no issued code, token or key', async () => {
  let { access_token: token } = await session('ada@acme.example');
  // Until every replica has read the replacement of the withdrawn key.
  while ((await checkEverywhere(token)).slice(0, 3).includes(false)) {
    ({ access_token: token } = await session('ada@acme.example'));
  }
  const created = await replicas.send(0, 'POST', '/api/v1/keys/', {
    token,
    body: { name: 'rack', workspace_id: 1 },
  });
  const { key, id } = (JSON.parse(created.body) as { api_key: { key: string; id: number } }).api_key;
  const rotated = await replicas.send(1, 'POST', `/api/v1/keys/${id}/rotate`, { token });
  secrets.add(key).add((JSON.parse(rotated.body) as { api_key: { key: string } }).api_key.key);
  for (const secret of [key, 'x']) {
    await fetch(`${replicas.internalUrls[0]}/internal/v1/keys/introspect`, {
      method: 'POST',
      headers: { authorization: `Bearer ${INTERNAL_CREDENTIAL}`, 'content-type': 'application/json' },
      body: JSON.stringify({ key: secret }),
    });
  }
  const password = 'correct horse battery staple';
  const ada = { email: 'ada@acme.example', frontend_url: 'http://localhost:3000' };
  await replicas.database.asOwner.query({
    text: 'INSERT INTO account.user_passwords (user_id, password_hash) VALUES (1, $1)',
    values: [await hashPassword(password)],
  });
  for (const each of [password, `${password}, but wrong`]) {
    secrets.add(each);
    const body = { ...ada, password: each };
    const response = await replicas.send(2, 'POST', '/api/v1/auth/password', { body });
    if (response.status === 200) secrets.add((JSON.parse(response.body) as { code: string }).code);
  }
  secrets.add(INTERNAL_CREDENTIAL).add(SIGNING_KEY_SECRET).add('github-secret');
  // A secret in a URL must not be logged either.
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
  expect(secrets.size).toBeGreaterThan(3 * SIGN_INS + CODES);
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
});

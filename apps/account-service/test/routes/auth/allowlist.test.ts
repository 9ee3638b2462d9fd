import { createHash } from 'node:crypto';
import { ALLOWED_URL, allowlistBypasses, queryTricks } from '../../support/allowlist-bypasses.ts';
import { RunningAccountService } from '../../support/running-account-service.ts';

let service: RunningAccountService;

beforeAll(async () => {
  service = await RunningAccountService.start({
    environment: { FRONTEND_URLS: ALLOWED_URL, PASSWORD_SIGN_IN: 'true' },
  });
});

afterAll(() => service.stop());

const count = async (table: string) => {
  const [row] = await service.database.asOwner.query<{ count: number }>({
    text: `SELECT count(*)::integer AS count FROM account.${table}`,
  });
  return row?.count;
};
/** A refusal: 400 or 401 in our shape, leading nowhere. */
const isRefusal = async (answer: Response) =>
  [400, 401].includes(answer.status) &&
  answer.headers.get('location') === null &&
  answer.headers.get('set-cookie') === null &&
  typeof ((await answer.json()) as { title: unknown }).title === 'string';

test('there are more than a hundred tricks, and the address itself is none of them', async () => {
  expect(new Set(allowlistBypasses).size).toBe(allowlistBypasses.length);
  expect(allowlistBypasses.length).toBeGreaterThan(150);
  expect(allowlistBypasses).not.toContain(ALLOWED_URL);
  const answer = await service.get(`/api/v1/auth/github?frontend_url=${encodeURIComponent(ALLOWED_URL)}`);
  expect(answer.status).toBe(302);
});

test.each(['github', 'google'])('none of them begins a sign-in through %s', async (provider) => {
  const before = await count('sign_in_attempts');
  const queries = [
    ...allowlistBypasses.map((url) => `frontend_url=${encodeURIComponent(url)}`),
    // As a browser sends what is typed into it: not encoded, but for what cannot stand in an address.
    ...allowlistBypasses.map((url) => `frontend_url=${encodeURI(url)}`),
    ...queryTricks,
  ].filter((query) => query !== `frontend_url=${ALLOWED_URL}` && !/^frontend_url=[^&#]*#/.test(query));
  const begun: string[] = [];
  for (const query of queries) {
    const answer = await service.get(`/api/v1/auth/${provider}?${query}`);
    if (!(await isRefusal(answer))) begun.push(query);
  }
  expect(begun).toEqual([]);
  expect(await count('sign_in_attempts')).toBe(before);
});

test('none of them takes a code, and each burns the one it tries', async () => {
  const codes = allowlistBypasses.map((_, index) =>
    createHash('sha256').update(`code ${index}`).digest('base64url'),
  );
  await service.database.asOwner.query({
    text: `WITH somebody AS (INSERT INTO account.users (customer_id, email) VALUES (1, 'ada@acme.example') RETURNING id)
           INSERT INTO account.authorization_codes (code_hash, user_id, provider, frontend_url, expires_at)
           SELECT sha256(convert_to(code, 'UTF8')), somebody.id, 'github', $2, now() + interval '10 minutes'
             FROM somebody, unnest($1::text[]) AS code`,
    values: [codes, ALLOWED_URL],
  });
  const taken: string[] = [];
  for (const [index, url] of allowlistBypasses.entries()) {
    for (const redirectUri of [url, ALLOWED_URL]) {
      if (!(await isRefusal(await service.redeem(codes[index] as string, redirectUri)))) taken.push(url);
    }
  }
  expect(taken).toEqual([]);
  expect(await count('sessions')).toBe(0);
});

test('none of them signs in with a password', async () => {
  const begun: string[] = [];
  for (const url of allowlistBypasses) {
    const body = { email: 'ada@acme.example', password: 'wrong', frontend_url: url };
    const answer = await service.post('/api/v1/auth/password', body);
    if (answer.status !== 400) begun.push(url);
  }
  expect(begun).toEqual([]);
  expect(await count('password_tries')).toBe(0);
});

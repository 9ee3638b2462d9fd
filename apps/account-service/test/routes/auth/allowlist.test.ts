import { createHash } from 'node:crypto';
import { ALLOWED_URL, allowlistBypasses, queryTricks } from '../../support/allowlist-bypasses.ts';
import { useAccountService } from '../../support/running-account-service.ts';

const service = useAccountService({
  environment: { FRONTEND_URLS: ALLOWED_URL, PASSWORD_SIGN_IN: 'true' },
});

const count = async (table: string) => {
  const [row] = await service.database.asOwner.query<{ count: number }>({
    text: `SELECT count(*)::integer AS count FROM account.${table}`,
  });
  return row?.count;
};
/** Returns whether the response is a 400 or 401 error without redirect or cookie. */
const isRejection = async (response: Response) =>
  [400, 401].includes(response.status) &&
  response.headers.get('location') === null &&
  response.headers.get('set-cookie') === null &&
  typeof ((await response.json()) as { title: unknown }).title === 'string';

test('the allowed URL starts a sign-in', async () => {
  const response = await service.get(`/api/v1/auth/github?frontend_url=${encodeURIComponent(ALLOWED_URL)}`);
  expect(response.status).toBe(302);
});

test.each(['github', 'google'])('no bypass starts a sign-in with %s', async (provider) => {
  const before = await count('sign_in_attempts');
  const queries = [
    ...allowlistBypasses.map((url) => `frontend_url=${encodeURIComponent(url)}`),
    // Encoded like in the address bar of a browser.
    ...allowlistBypasses.map((url) => `frontend_url=${encodeURI(url)}`),
    ...queryTricks,
  ].filter((query) => query !== `frontend_url=${ALLOWED_URL}` && !/^frontend_url=[^&#]*#/.test(query));
  const started: string[] = [];
  for (const query of queries) {
    const response = await service.get(`/api/v1/auth/${provider}?${query}`);
    if (!(await isRejection(response))) started.push(query);
  }
  expect(started).toEqual([]);
  expect(await count('sign_in_attempts')).toBe(before);
});

test('no bypass redeems a code, and each burns its code', async () => {
  const codes = allowlistBypasses.map((_, index) =>
    createHash('sha256').update(`code ${index}`).digest('base64url'),
  );
  await service.database.asOwner.query({
    text: `WITH ann AS (INSERT INTO account.users (customer_id, email) VALUES (1, 'ann@acme.example') RETURNING id)
           INSERT INTO account.authorization_codes (code_hash, browser_hash, user_id, sign_in_method, frontend_url, expires_at)
           SELECT sha256(convert_to(code, 'UTF8')), sha256('browser'), ann.id, 'github', $2, now() + interval '10 minutes'
             FROM ann, unnest($1::text[]) AS code`,
    values: [codes, ALLOWED_URL],
  });
  const redeemed: string[] = [];
  for (const [index, url] of allowlistBypasses.entries()) {
    for (const redirectUri of [url, ALLOWED_URL]) {
      if (!(await isRejection(await service.redeem(codes[index] as string, redirectUri)))) redeemed.push(url);
    }
  }
  expect(redeemed).toEqual([]);
  expect(await count('sessions')).toBe(0);
});

test('no bypass signs in with a password', async () => {
  const started: string[] = [];
  for (const url of allowlistBypasses) {
    const body = { email: 'ada@acme.example', password: 'wrong', frontend_url: url };
    const response = await service.post('/api/v1/auth/password', body);
    if (response.status !== 400) started.push(url);
  }
  expect(started).toEqual([]);
  expect(await count('password_attempts')).toBe(0);
});

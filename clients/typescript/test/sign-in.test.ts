import { createHash } from 'node:crypto';
import { startSignIn } from '../src/index.ts';

const METHOD = 'https://account.example.com/api/v1/auth/github';
const FRONTEND = 'https://app.example.com';

test('starts each sign-in with the challenge of a new verifier', async () => {
  const started = await Promise.all(Array.from({ length: 50 }, () => startSignIn(METHOD, FRONTEND)));
  for (const { url, start, exchange } of started) {
    expect(exchange).toEqual({
      redirect_uri: FRONTEND,
      code_verifier: expect.stringMatching(/^[\w-]{43}$/),
    });
    expect(start).toEqual({
      frontend_url: FRONTEND,
      code_challenge: createHash('sha256').update(exchange.code_verifier).digest('base64url'),
      code_challenge_method: 'S256',
    });
    const { origin, pathname, searchParams } = new URL(url);
    expect([origin + pathname, Object.fromEntries(searchParams)]).toEqual([METHOD, start]);
  }
  expect(new Set(started.map(({ exchange }) => exchange.code_verifier)).size).toBe(50);
});

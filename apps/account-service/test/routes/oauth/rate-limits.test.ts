import { FRONTEND_URL, useAccountService } from '../../support/running-account-service.ts';
import { exchangeKey } from '../../support/key-tokens.ts';

const service = useAccountService({
  environment: { RATE_LIMITS: 'true', TRUSTED_PROXIES: '127.0.0.1/32' },
});

const BATCH = 6;
const WRONG = '11111111-1111-4111-8111-111111111111';
const from = (address: string) => ({ 'x-forwarded-for': address });

async function createKeys(count: number): Promise<{ id: number; key: string }[]> {
  const { access_token: token } = await service.session('ada@acme.example');
  const headers = { authorization: `Bearer ${token}` };
  return Promise.all(
    Array.from({ length: count }, async () => {
      const response = await service.post('/api/v1/keys/', { name: 'x', workspace_id: 1 }, headers);
      const { api_key: key } = (await response.json()) as { api_key: { id: number; key: string } };
      await service.run('keys', 'grant', String(key.id), 'fleet:read');
      return key;
    }),
  );
}

async function send(count: number, request: () => Promise<Response>): Promise<number[]> {
  const statuses: number[] = [];
  while (statuses.length < count) {
    const size = Math.min(BATCH, count - statuses.length);
    statuses.push(...(await Promise.all(Array.from({ length: size }, async () => (await request()).status))));
  }
  return statuses;
}

test('a flood of wrong secrets for one key stops at 60, and leaves other keys and sign-in untouched', async () => {
  const [attacked, other] = (await createKeys(2)) as [
    { id: number; key: string },
    { id: number; key: string },
  ];
  const flood = () => exchangeKey(service, { id: attacked.id, key: WRONG }, from('203.0.113.7'));
  expect(await send(60, flood)).toEqual(Array(60).fill(401));
  const rejected = await flood();
  expect(rejected.status).toBe(429);
  expect(rejected.headers.get('retry-after')).toMatch(/^[1-9]\d?$/);
  expect(await rejected.json()).toEqual({
    error: 'too_many_requests',
    error_description: expect.stringMatching(/^Too many requests; retry in \d+ s\.$/),
  });

  // Other keys of the same network, the attacked key elsewhere, and sign-in.
  expect((await exchangeKey(service, other, from('203.0.113.7'))).status).toBe(200);
  expect((await exchangeKey(service, attacked, from('203.0.113.8'))).status).toBe(200);
  const start = `/api/v1/auth/github?frontend_url=${FRONTEND_URL}`;
  expect((await service.get(start, undefined, from('203.0.113.7'))).status).toBe(302);
});

test('a network that guesses ids stops at 600, and leaves others untouched', async () => {
  const [key] = (await createKeys(1)) as [{ id: number; key: string }];
  let id = 1_000;
  const flood = () => exchangeKey(service, { id: (id += 1), key: WRONG }, from('203.0.113.20'));
  expect(new Set(await send(600, flood))).toEqual(new Set([401]));
  expect((await flood()).status).toBe(429);
  expect((await exchangeKey(service, key, from('203.0.113.21'))).status).toBe(200);
});

test('a network that invents ids writes no counters after 6000 requests', async () => {
  const network = from('203.0.113.30');
  let id = 10_000;
  const flood = () => exchangeKey(service, { id: (id += 1), key: WRONG }, network);
  const counters = () =>
    service.database.asOwner.query<{ key: string; points: number }>({
      text: 'SELECT key, points FROM account.rate_limits ORDER BY key',
    });
  const before = new Set((await counters()).map(({ key }) => key));
  await flood();
  const attempts = (await counters()).find(
    ({ key }) => key.startsWith('client attempt:') && !before.has(key),
  );
  await service.database.asOwner.query({
    text: 'UPDATE account.rate_limits SET points = 6000 WHERE key = $1',
    values: [attempts?.key],
  });
  expect((await flood()).status).toBe(429);
  const written = await counters();
  expect(await send(12, flood)).toEqual(Array(12).fill(429));
  expect(await counters()).toEqual(written);
  expect((await exchangeKey(service, { id: 1, key: WRONG }, from('203.0.113.31'))).status).toBe(401);
});

test('a key gets 120 tokens per minute, from all networks together', async () => {
  const [key, other] = (await createKeys(2)) as [{ id: number; key: string }, { id: number; key: string }];
  let sent = 0;
  const exchange = () => exchangeKey(service, key, from(`198.51.100.${(sent += 1) % 100}`));
  expect(new Set(await send(120, exchange))).toEqual(new Set([200]));
  expect((await exchange()).status).toBe(429);
  expect((await exchangeKey(service, other, from('198.51.100.1'))).status).toBe(200);
});

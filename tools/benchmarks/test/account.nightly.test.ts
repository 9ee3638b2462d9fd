import { benchmarkAccount } from '../src/account/benchmark.ts';

test('measures every operation of account-service', async () => {
  const costs = await benchmarkAccount(0.3, 5);
  expect(costs.map(({ operation }) => operation)).toEqual([
    'sign-in up to the code',
    'code exchange',
    'refresh',
    '/me, token uncached',
    '/me, token cached',
    'key introspection',
    'token check, uncached',
    'token check, cached',
  ]);
  for (const { perSecond } of costs) expect(perSecond).toBeGreaterThan(0);
});

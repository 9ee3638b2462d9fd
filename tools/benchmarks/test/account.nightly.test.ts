import { benchmarkAccount } from '../src/account/benchmark.ts';
import { formatCosts } from '../src/costs.ts';

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

test('formats a table', () => {
  expect(formatCosts([{ operation: 'key check', perSecond: 4321.4, cpuMicroseconds: 170.6 }])).toBe(
    ['operation  per second  CPU us each', 'key check       4,321          171'].join('\n'),
  );
});

import { benchmarkAccount } from '../src/account.ts';
import { describeCosts } from '../src/costs.ts';

test('measures every operation of account-service', async () => {
  const costs = await benchmarkAccount({ seconds: 0.3, signIns: 5 });
  expect(costs.map(({ operation }) => operation)).toEqual([
    'sign-in, from the start to the code',
    'code exchange',
    'refresh',
    '/me, each token for the first time',
    '/me, the token remembered',
    'key check',
    'token check, for the first time',
    'token check, remembered',
  ]);
  for (const { perSecond } of costs) expect(perSecond).toBeGreaterThan(0);
});

test('writes a table', () => {
  expect(describeCosts([{ operation: 'key check', perSecond: 4321.4, cpuMicroseconds: 170.6 }])).toBe(
    [
      'operation                                     per second   CPU us each',
      'key check                                          4,321           171',
    ].join('\n'),
  );
});

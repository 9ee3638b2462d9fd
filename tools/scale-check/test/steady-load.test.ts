import { setTimeout as sleep } from 'node:timers/promises';
import { describeOutcomes, SteadyLoad } from '../src/steady-load.ts';

it('counts every answer, and every request that got none', async () => {
  const outcomes = ['2xx', '502 upstream_error', '2xx'];
  let asked = 0;
  const load = new SteadyLoad(1, async () => {
    asked += 1;
    if (asked === 4) throw new TypeError('fetch failed', { cause: new Error('ECONNRESET') });
    return outcomes[asked - 1] ?? '2xx';
  });
  while (asked < 5) await sleep(5);
  const samples = await load.stop();

  expect(samples).toHaveLength(asked);
  expect(load.failures.map(({ outcome }) => outcome)).toEqual(['502 upstream_error', 'ECONNRESET']);
  expect(describeOutcomes(load.failures)).toBe('502 upstream_error x 1, ECONNRESET x 1');
  expect(describeOutcomes([])).toBe('none');
});

import { setTimeout as sleep } from 'node:timers/promises';
import { describeOutcomes, SteadyLoad } from '../src/steady-load.ts';

it('records every response and every failed request', async () => {
  const outcomes = ['2xx', '502 upstream_error', '2xx'];
  let requests = 0;
  const load = new SteadyLoad(1, async () => {
    requests += 1;
    if (requests === 4) throw new TypeError('fetch failed', { cause: new Error('ECONNRESET') });
    return outcomes[requests - 1] ?? '2xx';
  });
  while (requests < 5) await sleep(5);
  const samples = await load.stop();

  expect(samples).toHaveLength(requests);
  expect(load.failures.map(({ outcome }) => outcome)).toEqual(['502 upstream_error', 'ECONNRESET']);
  expect(describeOutcomes(load.failures)).toBe('502 upstream_error x 1, ECONNRESET x 1');
  expect(describeOutcomes([])).toBe('none');
});

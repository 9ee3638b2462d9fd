import { setTimeout as sleep } from 'node:timers/promises';
import { together } from '../src/processes/together.ts';

it('gives every result in its place', async () => {
  expect(await together(new AbortController(), [sleep(5, 'a'), Promise.resolve(2)])).toEqual(['a', 2]);
});

it('stops the rest on the first failure, waits for it, and throws that failure', async () => {
  const abort = new AbortController();
  let ended = false;
  const slow = sleep(60_000, undefined, { signal: abort.signal }).finally(() => (ended = true));
  await expect(together(abort, [slow, Promise.reject(new Error('first'))])).rejects.toThrow('first');
  expect(ended).toBe(true);
});

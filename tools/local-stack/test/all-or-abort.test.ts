import { setTimeout as sleep } from 'node:timers/promises';
import { allOrAbort } from '../src/processes/all-or-abort.ts';

it('returns the results in order', async () => {
  expect(await allOrAbort(new AbortController(), [sleep(5, 'a'), Promise.resolve(2)])).toEqual(['a', 2]);
});

it('aborts the others on the first rejection, waits for them and rethrows it', async () => {
  const abort = new AbortController();
  let ended = false;
  const slow = sleep(60_000, undefined, { signal: abort.signal }).finally(() => (ended = true));
  await expect(allOrAbort(abort, [slow, Promise.reject(new Error('first'))])).rejects.toThrow('first');
  expect(ended).toBe(true);
});

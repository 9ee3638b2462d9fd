import { Steps } from '../src/steps.ts';

/** A stream that records its output. */
function recordingStream({ isTTY }: { isTTY: boolean }) {
  const written: string[] = [];
  return { written, isTTY, columns: 60, write: (text: string) => written.push(text) > 0 };
}

it('prints one line per finished step without a terminal', async () => {
  const output = recordingStream({ isTTY: false });
  const steps = new Steps(output as never);
  const result = await steps.run('Bake', async (report) => {
    report('almost done');
    return 'bread';
  });
  await expect(steps.run('Burn', () => Promise.reject(new Error('smoke')))).rejects.toThrow('smoke');
  steps.print('Enjoy.');
  expect(result).toBe('bread');
  expect(output.written).toEqual([
    expect.stringMatching(/^✔ Bake +0\.0 s {2}almost done\n$/),
    expect.stringMatching(/^✖ Burn +0\.0 s\n$/),
    'Enjoy.\n',
  ]);
});

it('does not mark a step as failed when the start was stopped', async () => {
  const output = recordingStream({ isTTY: false });
  const abort = new AbortController();
  const steps = new Steps(output as never, abort.signal);
  const step = steps.run('Bake', () => Promise.reject(new Error('stopped')));
  abort.abort();
  await expect(step).rejects.toThrow('stopped');
  expect(output.written).toEqual([expect.stringMatching(/^– Bake +0\.0 s\n$/)]);
});

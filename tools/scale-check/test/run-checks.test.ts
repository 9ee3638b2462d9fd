import { StackError } from '@gpu-observatory/local-stack';
import { runChecks } from '../src/run-checks.ts';
import { requirePrograms } from '../src/server.ts';

it('does not wait for the current check when it is interrupted', async () => {
  const abort = new AbortController();
  const endless = { claim: 'never ends', run: () => new Promise<string>(() => {}) };
  const running = runChecks([endless], {}, abort.signal);
  abort.abort(new Error('SIGINT'));
  await expect(running).rejects.toThrow('SIGINT');
});

it('lists missing programs with the command that installs them', () => {
  const check = () => requirePrograms(['openssl', 'no-such-program']);
  expect(check).toThrow(StackError);
  expect(check).toThrow(
    'Missing programs: no-such-program. On Debian or Ubuntu: sudo apt-get install --no-install-recommends no-such-program.',
  );
});

import { StackError } from '@gpu-observatory/local-stack';
import { requirePrograms } from '../src/server.ts';

it('lists missing programs with the command that installs them', () => {
  const check = () => requirePrograms(['openssl', 'no-such-program']);
  expect(check).toThrow(StackError);
  expect(check).toThrow(
    'Missing programs: no-such-program. On Debian or Ubuntu: sudo apt-get install --no-install-recommends no-such-program.',
  );
});

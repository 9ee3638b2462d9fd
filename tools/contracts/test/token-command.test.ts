import { tokenFrom } from '../src/deployment/token-command.ts';

it('runs the command in a shell and returns what it prints', async () => {
  expect(await tokenFrom('printf %s a.b.c; echo "signed in" >&2')).toBe('a.b.c');
});

it.each([
  ['echo "no session" >&2; exit 3', 'The --token-command failed with exit code 3: no session'],
  ['no-such-command-anywhere', /^The --token-command failed with exit code 127: .*not found$/],
  [
    'echo',
    'The --token-command must print one access token and nothing else. Use "npm run -s" to silence npm.',
  ],
  ['echo two words', /^The --token-command must print one access token/],
  ['kill -9 $$', 'The --token-command failed with a signal: nothing on standard error'],
])('reports why %j failed', async (command, message) => {
  await expect(tokenFrom(command)).rejects.toThrow(message);
});

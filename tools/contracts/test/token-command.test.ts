import { tokenFrom } from '../src/deployment/token-command.ts';

it('gives what the command prints, in a shell', async () => {
  expect(await tokenFrom('printf %s a.b.c; echo "signed in" >&2')).toBe('a.b.c');
});

it.each([
  ['echo "no session" >&2; exit 3', 'The --token-command ended with 3: no session'],
  ['no-such-command-anywhere', /^The --token-command ended with 127: .*not found$/],
  [
    'echo',
    'The --token-command should print one access token and nothing else; npm needs "npm run -s" for that.',
  ],
  ['echo two words', /^The --token-command should print one access token/],
  ['kill -9 $$', 'The --token-command ended with a signal: it said nothing'],
])('says what was wrong with %j', async (command, words) => {
  await expect(tokenFrom(command)).rejects.toThrow(words);
});

import { Command, Option } from 'commander';
import { errorMessage } from './errors.ts';
import { dataDirectoryOption, ignoreEmptyVariables } from './options.ts';
import { DEFAULT_PORT_BASE, localUrl } from './ports.ts';
import { exchangeKey } from './exchange-key.ts';
import { type ProviderName, signIn } from './sign-in.ts';
import { readRunningStack } from './stack-file.ts';

const program = new Command('npm run token --')
  .description('Sign in to the running stack over HTTP, or exchange an API key, and print an access token.')
  .option('--email <address>', 'user, such as ada@acme.example (required without --key)')
  .addOption(
    new Option('--provider <name>', 'identity provider').choices(['github', 'google']).default('github'),
  )
  .option(
    '--key <id:key>',
    'id of an API key that may read, a colon and the key: a token for the fleet API alone',
  )
  .option('--json', 'print the whole response', false)
  .addOption(dataDirectoryOption());
ignoreEmptyVariables(program);
program.parse();
const { email, key, provider, json, dataDirectory } = program.opts<{
  email?: string;
  key?: string;
  provider: ProviderName;
  json: boolean;
  dataDirectory: string;
}>();
// Not a required option of commander, which would report it as missing before it reports a misspelled one.
if ((email === undefined) === (key === undefined))
  program.error("error: exactly one of the options '--email <address>' and '--key <id:key>' is required");

try {
  const stack = readRunningStack(dataDirectory);
  const tokens = await (key === undefined
    ? signIn(stack, localUrl(DEFAULT_PORT_BASE), email!, provider)
    : exchangeKey(stack, key));
  console.log(json ? JSON.stringify(tokens, null, 2) : tokens.access_token);
} catch (failure) {
  console.error(errorMessage(failure));
  process.exitCode = 1;
}

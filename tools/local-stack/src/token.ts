import { Command, Option } from 'commander';
import { errorMessage } from './errors.ts';
import { dataDirectoryOption, ignoreEmptyVariables } from './options.ts';
import { DEFAULT_PORT_BASE, localUrl } from './ports.ts';
import { type ProviderName, signIn } from './sign-in.ts';
import { readRunningStack } from './stack-file.ts';

const program = new Command('npm run token --')
  .description('Sign in to the running stack over HTTP and print an access token.')
  .option('--email <address>', 'user, such as ada@acme.example (required)')
  .addOption(
    new Option('--provider <name>', 'identity provider').choices(['github', 'google']).default('github'),
  )
  .option('--json', 'print the whole session response', false)
  .addOption(dataDirectoryOption());
ignoreEmptyVariables(program);
program.parse();
// Not a required option of commander, which would report it as missing before it reports a misspelled one.
if (program.opts<{ email?: string }>().email === undefined)
  program.error("error: required option '--email <address>' not specified");
const { email, provider, json, dataDirectory } = program.opts<{
  email: string;
  provider: ProviderName;
  json: boolean;
  dataDirectory: string;
}>();

try {
  const session = await signIn(readRunningStack(dataDirectory), localUrl(DEFAULT_PORT_BASE), email, provider);
  console.log(json ? JSON.stringify(session, null, 2) : session.access_token);
} catch (failure) {
  console.error(errorMessage(failure));
  process.exitCode = 1;
}

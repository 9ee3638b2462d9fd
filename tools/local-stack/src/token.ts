import { Command, Option } from 'commander';
import { textOf } from './failures.ts';
import { dataDirectoryOption, forgetEmptyVariables } from './options.ts';
import { DEFAULT_PORT_BASE, localUrl } from './ports.ts';
import { type ProviderName, signIn } from './sign-in.ts';
import { readRunningStack } from './stack-file.ts';

const program = new Command('npm run token --')
  .description('Signs in to the stack that runs, over HTTP, and prints an access token.')
  .requiredOption('--email <address>', 'who signs in, such as ada@acme.example')
  .addOption(
    new Option('--provider <name>', 'where they have their account')
      .choices(['github', 'google'])
      .default('github'),
  )
  .option('--json', 'print the whole session response', false)
  .addOption(dataDirectoryOption());
forgetEmptyVariables(program);
program.parse();
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
  console.error(textOf(failure));
  process.exitCode = 1;
}

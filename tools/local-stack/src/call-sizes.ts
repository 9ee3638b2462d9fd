import { writeFileSync } from 'node:fs';
import { Command } from 'commander';
import { CALLS_FILE, measureCalls, readCalls } from './call-sizes/measure-calls.ts';
import { errorMessage } from './errors.ts';
import { dataDirectoryOption, ignoreEmptyVariables } from './options.ts';
import { DEFAULT_PORT_BASE, localUrl } from './ports.ts';
import { signIn } from './sign-in.ts';
import { readRunningStack } from './stack-file.ts';

const program = new Command('npm run call-sizes --')
  .description(
    'Measure the responses of the calls that /agents.md recommends, with the data of the running stack.',
  )
  .option('--write', 'store the sizes in the sources of the website', false)
  .addOption(dataDirectoryOption());
ignoreEmptyVariables(program);
program.parse();
const { write, dataDirectory } = program.opts<{ write: boolean; dataDirectory: string }>();

try {
  const stack = readRunningStack(dataDirectory);
  const session = await signIn(stack, localUrl(DEFAULT_PORT_BASE), 'ada@acme.example', 'github');
  const measured = await measureCalls(readCalls(), stack.fleet_url, session.access_token);
  for (const { bytes, path } of measured) console.log(`${String(bytes).padStart(8)}  GET ${path}`);
  if (write) {
    const calls = measured.map(({ path, purpose, bytes }) => ({ path, purpose, bytes }));
    calls.sort((a, b) => a.bytes - b.bytes);
    writeFileSync(CALLS_FILE, `${JSON.stringify(calls, null, 2)}\n`);
  }
} catch (failure) {
  console.error(errorMessage(failure));
  process.exitCode = 1;
}

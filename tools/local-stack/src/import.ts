import { Command } from 'commander';
import { join } from 'node:path';
import { type DataDirectory, openDataDirectory } from './data-directory.ts';
import { importerUrl } from './databases/roles.ts';
import { StackError, textOf } from './failures.ts';
import { dataDirectoryOption, forgetEmptyVariables } from './options.ts';
import { runAttached } from './processes/run-attached.ts';
import { readSecrets } from './secrets.ts';
import { operationsOf } from './services/services.ts';
import { readRunningStack, type StackFile } from './stack-file.ts';
import { findPlace } from './tenants/find-place.ts';
import { type Customer, readTenants } from './tenants/tenants.ts';

interface ImportOptions {
  customer?: string;
  workspace?: string;
  rejects?: string;
  dataDirectory: string;
}

const program = new Command('npm run import --')
  .description('Imports files into the stack that runs, as fleet-api’s own import does.')
  .usage('<format> <file...> [options]')
  .argument('<format>', 'dcgm, nvidia-smi, xid, falco or ndjson')
  .argument('<file...>', 'relative to where you are; - for standard input')
  .option('--customer <slug or id>', 'whose data it is, such as acme')
  .option('--workspace <slug or id>', 'in which of its workspaces, such as research')
  .option(
    '--rejects <file>',
    'where lines go that cannot be imported (default: rejects/ in the data directory)',
  )
  .addOption(dataDirectoryOption())
  .addHelpText(
    'after',
    '\nOther options are passed on; docs/importing.md has those of each format (--at, --host, --api-key …).',
  )
  .allowUnknownOption();
forgetEmptyVariables(program);
program.parse();

try {
  process.exitCode = await importFiles(program.args, program.opts<ImportOptions>());
} catch (failure) {
  console.error(textOf(failure));
  process.exitCode = 1;
}

/** @returns the exit code of the import */
async function importFiles(formatAndFiles: string[], options: ImportOptions): Promise<number> {
  const stack = readRunningStack(options.dataDirectory);
  const directory = openDataDirectory(options.dataDirectory);
  const { fleet_importer_password } = readSecrets(directory.secretsFile);
  if (!fleet_importer_password)
    throw new StackError(`${directory.secretsFile} has no fleet_importer_password.`);

  const { customerId, workspaceId } = findPlace(await customersOf(stack, directory, options), options);
  const rejects = options.rejects ?? join(directory.rejects, `${formatAndFiles[0]}-${timeForNames()}.ndjson`);
  return runAttached(operationsOf('fleet'), {
    args: [
      'import',
      ...formatAndFiles,
      ...(customerId === undefined ? [] : ['--customer', String(customerId)]),
      ...(workspaceId === undefined ? [] : ['--workspace', String(workspaceId)]),
      ...['--rejects', rejects],
    ],
    env: { IMPORTER_DATABASE_URL: importerUrl(stack.database_urls.fleet, { fleet_importer_password }) },
  });
}

/** Whom a person may have named; nobody where they named nobody. */
async function customersOf(
  { database_urls }: StackFile,
  { logs }: DataDirectory,
  { customer }: ImportOptions,
): Promise<Customer[]> {
  if (customer === undefined) return [];
  return readTenants({ OWNER_DATABASE_URL: database_urls.account }, logs, new AbortController().signal);
}

function timeForNames(): string {
  return new Date().toISOString().replace(/[:.]/g, '-');
}

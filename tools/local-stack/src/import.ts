import { Command } from 'commander';
import { join } from 'node:path';
import { openDataDirectory } from './data-directory.ts';
import { importerUrl } from './databases/roles.ts';
import { StackError, errorMessage } from './errors.ts';
import { dataDirectoryOption, ignoreEmptyVariables } from './options.ts';
import { runAttached } from './processes/run-attached.ts';
import { readSecrets } from './secrets.ts';
import { operationsOf } from './services/services.ts';
import { readRunningStack } from './stack-file.ts';
import { resolveCustomer } from './tenants/resolve-customer.ts';
import { readTenants } from './tenants/tenants.ts';

interface ImportOptions {
  customer?: string;
  workspace?: string;
  rejects?: string;
  dataDirectory: string;
}

const program = new Command('npm run import --')
  .description('Import files into the running stack with the importer of fleet-api.')
  .usage('<format> <file...> [options]')
  .argument('<format>', 'dcgm, amd, nvidia-gpu-exporter, nvidia-smi, xid, falco or ndjson')
  .argument('<file...>', 'paths relative to the current directory; - for standard input')
  .option('--customer <slug or id>', 'owner of the data, such as acme')
  .option('--workspace <slug or id>', 'workspace of the customer, such as research')
  .option('--rejects <file>', 'file for rejected lines (default: in rejects/ of the data directory)')
  .addOption(dataDirectoryOption())
  .addHelpText(
    'after',
    '\nAll other options are passed to the importer. docs/importing.md lists them for each format (--at, --host, --api-key …).',
  )
  .allowUnknownOption();
ignoreEmptyVariables(program);
program.parse();

try {
  process.exitCode = await importFiles(program.args, program.opts<ImportOptions>());
} catch (failure) {
  console.error(errorMessage(failure));
  process.exitCode = 1;
}

/** @returns the exit code of the import */
async function importFiles(formatAndFiles: string[], options: ImportOptions): Promise<number> {
  const stack = readRunningStack(options.dataDirectory);
  const directory = openDataDirectory(options.dataDirectory);
  const { fleet_importer_password } = readSecrets(directory.secretsFile);
  if (!fleet_importer_password)
    throw new StackError(
      `${directory.secretsFile} has no fleet_importer_password: restart the stack, which adds it.`,
    );

  const customers =
    options.customer === undefined
      ? []
      : await readTenants(
          { OWNER_DATABASE_URL: stack.database_urls.account },
          directory.logs,
          new AbortController().signal,
        );
  const { customerId, workspace } = resolveCustomer(customers, options);
  const rejects = options.rejects ?? join(directory.rejects, `${formatAndFiles[0]}-${timeForNames()}.ndjson`);
  return runAttached(operationsOf('fleet'), {
    args: [
      'import',
      ...formatAndFiles,
      ...(customerId === undefined ? [] : ['--customer', String(customerId)]),
      ...(workspace === undefined
        ? []
        : ['--workspace', String(workspace.id), '--workspace-name', workspace.name]),
      ...['--rejects', rejects],
    ],
    env: { IMPORTER_DATABASE_URL: importerUrl(stack.database_urls.fleet, { fleet_importer_password }) },
  });
}

function timeForNames(): string {
  return new Date().toISOString().replace(/[:.]/g, '-');
}

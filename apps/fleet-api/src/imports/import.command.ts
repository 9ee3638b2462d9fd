import { parsePositiveInteger, parseTimestamp } from '@gpu-observatory/domain-types';
import { OperationRefused } from '@gpu-observatory/service-runtime';
import { Command, InvalidArgumentError } from 'commander';
import { importDcgm } from './dcgm/import-dcgm.ts';
import { importNdjson } from './ndjson/import-ndjson.ts';
import { type FileJob, importFiles } from './running/import-files.ts';

interface CommandOptions {
  customer?: number;
  workspace?: number;
  apiKey?: number;
  at?: Date;
  rejects?: string;
  quiet?: boolean;
}

/** `import`: the door of the fleet data, for every format (docs/importing.md). */
export function importCommand(): Command {
  const command = new Command('import').description('bring fleet data in (IMPORTER_DATABASE_URL)');
  withOptions(command.command('ndjson'))
    .description('records of the documented NDJSON format; - reads standard input as it grows')
    .action((files: string[], options: CommandOptions) => run(files, options, importNdjson));
  withOptions(command.command('dcgm'))
    .description('dcgm-exporter scrapes (Prometheus text); - reads one from standard input')
    .option('--at <time>', 'the time of a scrape, which has none of its own (default now)', timestamp)
    .action((files: string[], options: CommandOptions) => {
      const { customer: customerId, workspace: workspaceId, at } = options;
      if (customerId === undefined || workspaceId === undefined) {
        throw new OperationRefused('a scrape says nothing of whose it is: give --customer and --workspace');
      }
      return run(files, options, (job) =>
        importDcgm(job, { customerId, workspaceId, ...(at === undefined ? {} : { at }) }),
      );
    });
  return command;
}

function withOptions(command: Command): Command {
  return command
    .argument('<file...>', 'files, or - for standard input')
    .option('--customer <id>', 'the customer of records that name none', positiveInteger)
    .option('--workspace <id>', 'the workspace of records that name none', positiveInteger)
    .option('--api-key <id>', 'the API key of records that name none', positiveInteger)
    .option(
      '--rejects <file>',
      'where lines go that cannot be imported (default <first file>.rejects.ndjson, here)',
    )
    .option('--quiet', 'no progress, only the result');
}

async function run(
  files: string[],
  { customer, workspace, apiKey, rejects, quiet = false }: CommandOptions,
  importFile: (job: FileJob) => Promise<void>,
): Promise<void> {
  const attribution = {
    customerId: customer ?? null,
    workspaceId: workspace ?? null,
    apiKeyId: apiKey ?? null,
  };
  process.exitCode = await importFiles(
    files,
    { attribution, quiet, ...(rejects === undefined ? {} : { rejects }) },
    importFile,
  );
}

function positiveInteger(text: string): number {
  const value = parsePositiveInteger(text);
  if (value === null || value > 2_147_483_647)
    throw new InvalidArgumentError('It should be an integer from 1 to 2147483647.');
  return value;
}

function timestamp(text: string): Date {
  const instant = parseTimestamp(text);
  if (instant === null) {
    throw new InvalidArgumentError(
      'It should be an RFC 3339 time with a zone, such as 2026-11-21T08:00:00Z.',
    );
  }
  return instant;
}

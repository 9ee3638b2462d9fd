import { OperationError } from '@gpu-observatory/service-runtime/process';
import { Command } from 'commander';
import { readImporterConfig } from '../config/importer.config.ts';
import { positiveId, timestamp, utcOffset, workspaceName } from './command-options.ts';
import { EXPORTER_FORMATS } from './formats/exporters/exporter-formats.ts';
import { importExporterPage } from './formats/exporters/import-page.ts';
import { SeriesCache } from './formats/exporters/series-cache.ts';
import { FalcoRules } from './formats/falco/falco-rules.ts';
import { importFalco } from './formats/falco/import-falco.ts';
import { importNdjson } from './formats/ndjson/import-ndjson.ts';
import { importNvidiaSmi } from './formats/nvidia-smi/import-nvidia-smi.ts';
import { publishedSchema } from './records/published-schema.ts';
import { importFiles } from './run/import-files.ts';
import type { ImportOptions } from './run/import-session.ts';
import { importXid } from './formats/xid/import-xid.ts';

/** Options of all formats; not all of them have `--follow`. */
interface CommandOptions {
  customer?: number;
  workspace?: number;
  apiKey?: number;
  follow?: boolean;
  quiet?: boolean;
  rejects?: string;
  workspaceName?: string;
}

const EXAMPLES = {
  ndjson: 'tail -F fleet.ndjson | fleet-api import ndjson - --follow',
  dcgm: 'curl -s http://node-1:9400/metrics | fleet-api import dcgm - --customer 1 --workspace 10',
  amd: 'curl -s http://node-1:5000/metrics | fleet-api import amd - --customer 1 --workspace 10',
  'nvidia-gpu-exporter':
    'curl -s http://node-1:9835/metrics | fleet-api import nvidia-gpu-exporter - --host node-1 --customer 1 --workspace 10',
  falco: 'kubectl logs ds/falco -f | fleet-api import falco - --follow --customer 1',
  xid: 'journalctl -k -f -o short-iso | fleet-api import xid - --follow --customer 1 --workspace 10',
  'nvidia-smi': 'nvidia-smi -q -x | fleet-api import nvidia-smi - --host node-1 --customer 1 --workspace 10',
};
const FOLLOW_HELP =
  'read standard input as an endless stream: store lines within a second, reconnect to the database';
const UTC_OFFSET_HELP = 'offset of times without a zone, such as +02:00 (default UTC)';

/** The `import` command, with a subcommand for each format (docs/importing.md). */
export function importCommand(): Command {
  const command = new Command('import')
    .description('import fleet data (IMPORTER_DATABASE_URL); see docs/importing.md')
    .showHelpAfterError('(--help lists the options)');

  addNdjson(command);
  addExporters(command);
  addFalco(command);
  addXid(command);
  addNvidiaSmi(command);
  command
    .command('schema')
    .description('print the JSON Schema of the NDJSON format')
    .action(() => void process.stdout.write(`${JSON.stringify(publishedSchema(), null, 2)}\n`));

  return command;
}

function addNdjson(command: Command): void {
  addFormat(command, 'ndjson', 'records of the NDJSON format in docs/importing.md')
    .option('--follow', FOLLOW_HELP)
    .action((files: string[], options: CommandOptions) =>
      importFiles(files, importOptions(options), importNdjson),
    );
}

function addExporters(command: Command): void {
  for (const format of EXPORTER_FORMATS)
    addFormat(command, format.adapter, `pages of ${format.exporter} (Prometheus text), one per file`)
      .option('--at <time>', 'time of the scrape (default now)', timestamp)
      .option('--host <name>', 'host of all GPUs (default: the node in their labels)')
      .action((files: string[], options: CommandOptions & { at?: Date; host?: string }) => {
        const owner = requiredOwner('scrapes', options);
        const at = options.at === undefined ? {} : { at: options.at };
        const cache = new SeriesCache();
        const page = { ...owner, ...at, hosts: { override: options.host }, format, cache };
        return importFiles(files, importOptions(options), (job) => importExporterPage(job, page));
      });
}

function addFalco(command: Command): void {
  addFormat(command, 'falco', 'Falco alerts (json_output), one per line')
    .option('--follow', FOLLOW_HELP)
    .option('--host <name>', 'host of all events, if theirs is the pod or container of Falco')
    .option('--rules <file>', 'rule table that overrides the built-in one (or FALCO_RULES_FILE)')
    .action((files: string[], options: CommandOptions & { host?: string; rules?: string }) => {
      if (options.customer === undefined)
        throw new OperationError('missing --customer: Falco alerts carry no customer');
      const { customer: customerId, host = null } = options;
      const file = options.rules ?? readImporterConfig(process.env).falcoRulesFile;
      const name = options.rules === undefined ? 'FALCO_RULES_FILE' : '--rules';
      const rules = FalcoRules.read(file === undefined ? undefined : { file, name });
      return importFiles(files, importOptions(options), (job) =>
        importFalco(job, { customerId, host, rules }),
      );
    });
}

function addXid(command: Command): void {
  addFormat(command, 'xid', 'XIDs in kernel logs (dmesg, journalctl, syslog)')
    .option('--follow', FOLLOW_HELP)
    .option('--host <name>', 'host of all lines; required if the lines have none')
    .option('--boot-time <time>', 'boot time of the host, for lines with seconds since boot', timestamp)
    .option('--utc-offset <offset>', UTC_OFFSET_HELP, utcOffset)
    .action(
      (files: string[], options: CommandOptions & { host?: string; bootTime?: Date; utcOffset?: number }) => {
        const { customerId } = requiredOwner('kernel logs', options);
        const { host = null, bootTime, utcOffset: utcOffsetMinutes = 0 } = options;
        const bootTimeMs = bootTime?.getTime() ?? null;
        return importFiles(files, importOptions(options), (job) =>
          importXid(job, { customerId, host, bootTimeMs, utcOffsetMinutes }),
        );
      },
    );
}

function addNvidiaSmi(command: Command): void {
  addFormat(command, 'nvidia-smi', 'output of nvidia-smi -q -x, one or more documents (-l)')
    .option('--follow', FOLLOW_HELP)
    .option('--host <name>', 'host of the GPUs')
    .option('--at <time>', 'time of the readings (default: the timestamp in the output)', timestamp)
    .option('--utc-offset <offset>', UTC_OFFSET_HELP, utcOffset)
    .action((files: string[], options: CommandOptions & { host?: string; at?: Date; utcOffset?: number }) => {
      const { customerId } = requiredOwner('nvidia-smi documents', options);
      const { host, at = null, utcOffset: utcOffsetMinutes = 0 } = options;
      if (host === undefined) throw new OperationError('missing --host: nvidia-smi output has no host name');
      return importFiles(files, importOptions(options), (job) =>
        importNvidiaSmi(job, { customerId, host, at, utcOffsetMinutes }),
      );
    });
}

function addFormat(command: Command, name: keyof typeof EXAMPLES, description: string): Command {
  return command
    .command(name)
    .description(description)
    .argument('<file...>', 'files, or - for standard input')
    .option('--customer <id>', 'customer of records that have none', positiveId)
    .option('--workspace <id>', 'workspace of records that have none', positiveId)
    .option('--workspace-name <name>', 'name of that workspace, which alerts show', workspaceName)
    .option('--api-key <id>', 'API key of records that have none', positiveId)
    .option(
      '--rejects <file>',
      'file for rejected lines (default <first file>.rejects.ndjson in the working directory)',
    )
    .option('--quiet', 'print only the result, no progress')
    .addHelpText('after', `\nExample:\n  ${EXAMPLES[name]}`);
}

function requiredOwner(
  source: string,
  { customer, workspace }: CommandOptions,
): { customerId: number; workspaceId: number } {
  if (customer === undefined || workspace === undefined)
    throw new OperationError(`missing --customer or --workspace: ${source} carry neither`);
  return { customerId: customer, workspaceId: workspace };
}

function importOptions(options: CommandOptions): ImportOptions {
  const { customer = null, workspace = null, apiKey = null, workspaceName: name, rejects } = options;
  if (name !== undefined && (customer === null || workspace === null))
    throw new OperationError('--workspace-name requires --customer and --workspace');
  return {
    attribution: { customerId: customer, workspaceId: workspace, apiKeyId: apiKey },
    quiet: options.quiet ?? false,
    follow: options.follow ?? false,
    ...(rejects === undefined ? {} : { rejects }),
    ...(name === undefined ? {} : { workspaceName: name }),
  };
}

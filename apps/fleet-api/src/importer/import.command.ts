import { OperationError } from '@gpu-observatory/service-runtime';
import { Command } from 'commander';
import { readImporterConfig } from '../config/importer.config.ts';
import { positiveInteger, timestamp, utcOffset } from './command-options.ts';
import { importDcgm } from './formats/dcgm/import-dcgm.ts';
import { FalcoRules } from './formats/falco/falco-rules.ts';
import { importFalco } from './formats/falco/import-falco.ts';
import { importNdjson } from './formats/ndjson/import-ndjson.ts';
import { importNvidiaSmi } from './formats/nvidia-smi/import-nvidia-smi.ts';
import { publishedSchema } from './records/published-schema.ts';
import { type FileJob, importFiles } from './run/import-files.ts';
import { importXid } from './formats/xid/import-xid.ts';

interface CommandOptions {
  customer?: number;
  workspace?: number;
  apiKey?: number;
  at?: Date;
  bootTime?: Date;
  follow?: boolean;
  host?: string;
  quiet?: boolean;
  rejects?: string;
  rules?: string;
  utcOffset?: number;
}

const EXAMPLES = {
  ndjson: 'tail -F fleet.ndjson | fleet-api import ndjson - --follow',
  dcgm: 'curl -s http://node-1:9400/metrics | fleet-api import dcgm - --customer 1 --workspace 10',
  falco: 'kubectl logs ds/falco -f | fleet-api import falco - --follow --customer 1',
  xid: 'journalctl -k -f -o short-iso | fleet-api import xid - --follow --customer 1 --workspace 10',
  'nvidia-smi': 'nvidia-smi -q -x | fleet-api import nvidia-smi - --host node-1 --customer 1 --workspace 10',
};
const FOLLOW =
  'standard input is a stream that goes on: store what arrives within a second, wait for the database';
const UTC_OFFSET = 'the zone of times that name none, such as +02:00 (default UTC)';

/** `import`: the door of the fleet data, for every format (docs/importing.md). */
export function importCommand(): Command {
  const command = new Command('import')
    .description('bring fleet data in (IMPORTER_DATABASE_URL); docs/importing.md tells all of it')
    .showHelpAfterError('(--help says what there is)');

  format(command, 'ndjson', 'records of the documented NDJSON format')
    .option('--follow', FOLLOW)
    .action((files: string[], options: CommandOptions) => run(files, options, importNdjson));

  format(command, 'dcgm', 'dcgm-exporter scrapes (Prometheus text), one a file')
    .option('--at <time>', 'the time of a scrape, which has none of its own (default now)', timestamp)
    .action((files: string[], options: CommandOptions) => {
      const owner = ownerOf('a scrape', options);
      const at = options.at === undefined ? {} : { at: options.at };
      return run(files, options, (job) => importDcgm(job, { ...owner, ...at }));
    });

  format(command, 'falco', 'alerts of Falco (json_output), one a line')
    .option('--follow', FOLLOW)
    .option('--rules <file>', 'what rules become, put before the table that ships (or FALCO_RULES_FILE)')
    .action((files: string[], options: CommandOptions) => {
      if (options.customer === undefined)
        throw new OperationError('a Falco alert says nothing of whose it is: give --customer');
      const { customer } = options;
      const file = options.rules ?? readImporterConfig(process.env).falcoRulesFile;
      const name = options.rules === undefined ? 'FALCO_RULES_FILE' : '--rules';
      const rules = FalcoRules.read(file === undefined ? undefined : { file, name });
      return run(files, options, (job) => importFalco(job, customer, rules));
    });

  format(command, 'xid', 'the XIDs of kernel logs (dmesg, journalctl, syslog)')
    .option('--follow', FOLLOW)
    .option('--host <name>', 'the host of all lines, whatever they say; needed where they say none')
    .option('--boot-time <time>', 'when the host started, for lines that count seconds since then', timestamp)
    .option('--utc-offset <offset>', UTC_OFFSET, utcOffset)
    .action((files: string[], options: CommandOptions) => {
      const { customerId } = ownerOf('a kernel log', options);
      const { host = null, bootTime, utcOffset: utcOffsetMinutes = 0 } = options;
      const bootTimeMs = bootTime?.getTime() ?? null;
      return run(files, options, (job) => importXid(job, { customerId, host, bootTimeMs, utcOffsetMinutes }));
    });

  format(command, 'nvidia-smi', 'what nvidia-smi -q -x writes, once or (-l) again and again')
    .option('--follow', FOLLOW)
    .option('--host <name>', 'the host whose GPUs they are')
    .option('--at <time>', 'the time of the readings (default the one that the output says)', timestamp)
    .option('--utc-offset <offset>', UTC_OFFSET, utcOffset)
    .action((files: string[], options: CommandOptions) => {
      const { customerId } = ownerOf('nvidia-smi', options);
      const { host, at = null, utcOffset: utcOffsetMinutes = 0 } = options;
      if (host === undefined) throw new OperationError('nvidia-smi says nothing of its host: give --host');
      return run(files, options, (job) => importNvidiaSmi(job, { customerId, host, at, utcOffsetMinutes }));
    });

  command
    .command('schema')
    .description('print the JSON Schema of the NDJSON format')
    .action(() => void process.stdout.write(`${JSON.stringify(publishedSchema(), null, 2)}\n`));

  return command;
}

function format(command: Command, name: keyof typeof EXAMPLES, description: string): Command {
  return command
    .command(name)
    .description(description)
    .argument('<file...>', 'files, or - for standard input, which is read as it grows')
    .option('--customer <id>', 'whose data it is, where it does not say', positiveInteger)
    .option('--workspace <id>', 'in which workspace, where it does not say', positiveInteger)
    .option('--api-key <id>', 'by which API key, where it does not say', positiveInteger)
    .option(
      '--rejects <file>',
      'where lines go that cannot be imported (default <first file>.rejects.ndjson, here)',
    )
    .option('--quiet', 'no progress, only the result')
    .addHelpText('after', `\nFor example:\n  ${EXAMPLES[name]}`);
}

function ownerOf(
  source: string,
  { customer, workspace }: CommandOptions,
): { customerId: number; workspaceId: number } {
  if (customer === undefined || workspace === undefined)
    throw new OperationError(`${source} says nothing of whose it is: give --customer and --workspace`);
  return { customerId: customer, workspaceId: workspace };
}

async function run(
  files: string[],
  { customer, workspace, apiKey, rejects, quiet = false, follow = false }: CommandOptions,
  importFile: (job: FileJob) => Promise<void>,
): Promise<void> {
  const attribution = {
    customerId: customer ?? null,
    workspaceId: workspace ?? null,
    apiKeyId: apiKey ?? null,
  };
  process.exitCode = await importFiles(
    files,
    { attribution, quiet, follow, ...(rejects === undefined ? {} : { rejects }) },
    importFile,
  );
}

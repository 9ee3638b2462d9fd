import { OperationError } from '@gpu-observatory/service-runtime/process';
import { Command, InvalidArgumentError } from 'commander';
import { positiveId, workspaceName } from '../command-options.ts';
import { type CredentialFiles, readCredentials } from './credentials.ts';
import { parseTarget, type Target } from './target.ts';

const UNIT_SECONDS = { s: 1, m: 60, h: 3_600 } as const;
const MAX_SECONDS = 3_600;
const DEFAULT_INTERVAL_SECONDS = 15;
const DEFAULT_TIMEOUT_SECONDS = 10;

interface CommandOptions {
  target: Target[];
  every?: number;
  timeout?: number;
  customer: number;
  workspace: number;
  workspaceName?: string;
  apiKey?: number;
  caFile?: string;
  bearerTokenFile?: string;
  username?: string;
  passwordFile?: string;
}

/** The `scrape` command: scrapes GPU exporters until it is stopped (docs/importing.md). */
export function scrapeCommand(): Command {
  return new Command('scrape')
    .description('scrape GPU exporters periodically (IMPORTER_DATABASE_URL, MANAGEMENT_PORT)')
    .showHelpAfterError('(--help lists the options)')
    .requiredOption(
      '--target <url>',
      'URL of an exporter, such as http://node-1:9400/metrics; dns+http://… for one at each address of the name; repeatable',
      addTarget,
    )
    .requiredOption('--customer <id>', 'customer of the GPUs', positiveId)
    .requiredOption('--workspace <id>', 'workspace of the GPUs', positiveId)
    .option('--workspace-name <name>', 'name of the workspace, which alerts show', workspaceName)
    .option('--api-key <id>', 'API key of the GPUs', positiveId)
    .option('--every <duration>', 'scrape interval, such as 1m (default 15s)', duration)
    .option('--timeout <duration>', 'timeout of a scrape (default 10s, or --every if that is less)', duration)
    .option('--ca-file <file>', "certificates (PEM) to verify https targets with, in place of the system's")
    .option('--bearer-token-file <file>', 'file with a token that is sent to the targets')
    .option('--username <name>', 'user of HTTP basic authentication')
    .option('--password-file <file>', 'file with the password of that user')
    .addHelpText(
      'after',
      '\nExample:\n  fleet-api scrape --customer 1 --workspace 10 --target http://node-1:9400/metrics --every 15s',
    )
    .action(async (options: CommandOptions) => {
      const { target: targets, customer, workspace, apiKey = null } = options;
      const everySeconds = options.every ?? DEFAULT_INTERVAL_SECONDS;
      const timeoutSeconds = options.timeout ?? Math.min(everySeconds, DEFAULT_TIMEOUT_SECONDS);
      if (timeoutSeconds > everySeconds)
        throw new OperationError(
          `--timeout (${timeoutSeconds} s) must be at most --every (${everySeconds} s)`,
        );
      const credentials = await checkCredentials(options);
      // Loaded on demand: no other command has a management port.
      const { runCollector } = await import('./run-collector.ts');
      await runCollector({
        targets,
        everySeconds,
        timeoutSeconds,
        customerId: customer,
        workspaceId: workspace,
        workspaceName: options.workspaceName ?? null,
        apiKeyId: apiKey,
        credentials,
      });
    });
}

/** Returns the credential files. @throws {OperationError} for contradicting options, an http target, or an unreadable file */
async function checkCredentials(options: CommandOptions): Promise<CredentialFiles> {
  const { target: targets, caFile, bearerTokenFile, username, passwordFile } = options;
  if ((username === undefined) !== (passwordFile === undefined))
    throw new OperationError('--username and --password-file must be given together');
  if (username !== undefined && bearerTokenFile !== undefined)
    throw new OperationError('--bearer-token-file and --username must not be given together');
  if (username?.includes(':')) throw new OperationError('--username must not contain a colon');
  const files: CredentialFiles = {
    ...(caFile === undefined ? {} : { caFile }),
    ...(bearerTokenFile === undefined ? {} : { bearerTokenFile }),
    ...(username === undefined || passwordFile === undefined
      ? {}
      : { basicAuth: { username, passwordFile } }),
  };
  const insecure = targets.find(({ url }) => url.protocol === 'http:');
  if (Object.keys(files).length > 0 && insecure !== undefined)
    throw new OperationError(`credentials and --ca-file require https targets, got ${insecure.name}`);
  await readCredentials(files).catch((failure: unknown) => {
    throw new OperationError((failure as Error).message);
  });
  return files;
}

function addTarget(text: string, before: Target[] = []): Target[] {
  const target = parseTarget(text);
  if ('fault' in target) throw new InvalidArgumentError(target.fault);
  if (before.some(({ name }) => name === target.name))
    throw new InvalidArgumentError('Each target must be unique.');
  return [...before, target];
}

/** Parses a duration. @returns seconds */
function duration(text: string): number {
  const [, number = '', unit = ''] = /^([1-9]\d{0,4})([smh])$/.exec(text) ?? [];
  const seconds = Number(number) * UNIT_SECONDS[unit as keyof typeof UNIT_SECONDS];
  // `seconds` is NaN if the text is not a duration.
  if (!(seconds <= MAX_SECONDS))
    throw new InvalidArgumentError('It must be from 1s to 1h, such as 15s or 1m.');
  return seconds;
}

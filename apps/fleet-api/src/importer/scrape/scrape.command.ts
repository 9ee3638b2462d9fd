import { OperationError } from '@gpu-observatory/service-runtime';
import { Command, InvalidArgumentError } from 'commander';
import { positiveInteger } from '../command-options.ts';
import { runCollector } from './run-collector.ts';
import { parseTarget, type Target } from './target.ts';

const UNIT_SECONDS = { s: 1, m: 60, h: 3_600 } as const;
const MOST_SECONDS = 3_600;
const DEFAULT_EVERY_SECONDS = 15;
const DEFAULT_TIMEOUT_SECONDS = 10;

interface CommandOptions {
  target: Target[];
  every?: number;
  timeout?: number;
  customer: number;
  workspace: number;
  apiKey?: number;
}

/** `scrape`: asks live dcgm-exporters for their pages and stores them, until it is told to end (docs/importing.md). */
export function scrapeCommand(): Command {
  return new Command('scrape')
    .description(
      'ask dcgm-exporters for their readings, again and again (IMPORTER_DATABASE_URL, MANAGEMENT_PORT)',
    )
    .showHelpAfterError('(--help says what there is)')
    .requiredOption(
      '--target <url>',
      'an exporter, such as http://node-1:9400/metrics; dns+http://… is one at each address of the name; repeatable',
      addTarget,
    )
    .requiredOption('--customer <id>', 'whose GPUs they are', positiveInteger)
    .requiredOption('--workspace <id>', 'in which workspace', positiveInteger)
    .option('--api-key <id>', 'by which API key', positiveInteger)
    .option('--every <duration>', 'how often, such as 1m (default 15s)', duration)
    .option(
      '--timeout <duration>',
      'how long an exporter may take (default 10s, or --every if that is less)',
      duration,
    )
    .addHelpText(
      'after',
      '\nFor example:\n  fleet-api scrape --customer 1 --workspace 10 --target http://node-1:9400/metrics --every 15s',
    )
    .action(async (options: CommandOptions) => {
      const { target: targets, customer, workspace, apiKey = null } = options;
      const everySeconds = options.every ?? DEFAULT_EVERY_SECONDS;
      const timeoutSeconds = options.timeout ?? Math.min(everySeconds, DEFAULT_TIMEOUT_SECONDS);
      if (timeoutSeconds > everySeconds)
        throw new OperationError(
          `--timeout (${timeoutSeconds} s) should be at most --every (${everySeconds} s)`,
        );
      await runCollector({
        targets,
        everySeconds,
        timeoutSeconds,
        customerId: customer,
        workspaceId: workspace,
        apiKeyId: apiKey,
      });
    });
}

function addTarget(text: string, before: Target[] = []): Target[] {
  const target = parseTarget(text);
  if ('fault' in target) throw new InvalidArgumentError(target.fault);
  if (before.some(({ name }) => name === target.name)) throw new InvalidArgumentError('It is given twice.');
  return [...before, target];
}

/** @returns seconds */
function duration(text: string): number {
  const [, number = '', unit = ''] = /^([1-9]\d{0,4})([smh])$/.exec(text) ?? [];
  const seconds = Number(number) * UNIT_SECONDS[unit as keyof typeof UNIT_SECONDS];
  if (!(seconds <= MOST_SECONDS))
    throw new InvalidArgumentError('It should be from 1s to 1h, such as 15s or 1m.');
  return seconds;
}
